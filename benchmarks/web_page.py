"""Measure the web page on a first visit: first paint, download size, and response to a click.

    python benchmarks/web_page.py

Starts `plyground web` on a free port and opens the page in Chromium several times, each time with
an empty cache.
"""

from __future__ import annotations

import shutil
import statistics

from playwright.sync_api import Browser, Page, sync_playwright
from web_server import running_server

TIMES = 7
FACTS = """() => {
    const paint = performance.getEntriesByName('first-contentful-paint')[0];
    const files = [...performance.getEntriesByType('navigation'),
                   ...performance.getEntriesByType('resource')];
    return {
        paint: paint.startTime,
        bytes: files.reduce((sum, file) => sum + file.transferSize, 0),
        files: files.length,
    };
}"""
CLICK = """([x, y]) => new Promise((resolve) => {
    const pawn = document.querySelector('#board .pawn.player1');
    const before = pawn.style.transform;
    const began = performance.now();
    new MutationObserver((_, observer) => {
        if (pawn.style.transform === before) return;
        observer.disconnect();
        requestAnimationFrame(() => resolve(performance.now() - began));
    }).observe(pawn, { attributes: true });
    document.querySelector('#board').dispatchEvent(
        new MouseEvent('click', { clientX: x, clientY: y, bubbles: true }));
})"""


def open_page(browser: Browser, address: str) -> Page:
    """Open the page in a fresh browser context."""
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.goto(address)
    page.wait_for_selector("#board .target")
    return page


def click_ms(page: Page) -> float:
    """Milliseconds from a click on a target to the frame that shows the pawn there."""
    box = page.locator("#board .target").first.bounding_box()
    assert box is not None
    took: float = page.evaluate(CLICK, [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])
    return took


def main() -> None:
    """Visit the page several times and print the figures."""
    with running_server() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        paints, clicks = [], []
        for _ in range(TIMES):
            page = open_page(browser, address)
            facts = page.evaluate(FACTS)
            paints.append(facts["paint"])
            clicks.append(click_ms(page))
            page.context.close()
        browser.close()
    print(f"first paint after {statistics.median(paints):.0f} ms (worst {max(paints):.0f})")
    print(f"{facts['bytes'] / 1000:.0f} kB in {facts['files']} files")
    print(f"a click is shown in {statistics.median(clicks):.0f} ms (worst {max(clicks):.0f})")


if __name__ == "__main__":
    main()
