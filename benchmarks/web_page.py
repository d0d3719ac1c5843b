"""Measure the web page on a first visit: first paint, download size, and response to a click.

    python benchmarks/web_page.py

Starts `plyground web` on a free port and opens the page in Chromium several times, each time with
an empty cache.
"""

from __future__ import annotations

import shutil
import statistics

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright
from web_server import running_server

from plyground.ui.web.texts import LANGUAGES

TIMES = 7
FACTS = """() => {
    const paint = performance.getEntriesByName('first-contentful-paint')[0];
    const files = [...performance.getEntriesByType('navigation'),
                   ...performance.getEntriesByType('resource')];
    return {
        paint: paint.startTime,
        packed: files.reduce((sum, file) => sum + file.transferSize, 0),
        unpacked: files.reduce((sum, file) => sum + file.decodedBodySize, 0),
        files: files.length,
    };
}"""
EMPTY = "data:text/html,<p>empty"
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


def open_page(browser: Browser, address: str, language: str = "en") -> Page:
    """Open the page in a fresh browser context."""
    size: ViewportSize = {"width": 1280, "height": 800}
    page = browser.new_context(viewport=size, locale=language).new_page()
    page.goto(address)
    page.wait_for_selector("#board .target")
    return page


def empty_paint_ms(browser: Browser) -> float:
    """Milliseconds until the browser paints a page that loads nothing."""
    page = browser.new_context().new_page()
    page.goto(EMPTY)
    wait = "performance.getEntriesByName('first-contentful-paint').length > 0"
    page.wait_for_function(wait)
    paint: float = page.evaluate(FACTS)["paint"]
    page.context.close()
    return paint


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
        paints, clicks, empty = [], [], []
        for _ in range(TIMES):
            empty.append(empty_paint_ms(browser))
            page = open_page(browser, address)
            paints.append(page.evaluate(FACTS)["paint"])
            clicks.append(click_ms(page))
            page.context.close()
        weights = {
            language: open_page(browser, address, language).evaluate(FACTS)
            for language in LANGUAGES
        }
        browser.close()
    print(f"first paint after {statistics.median(paints):.0f} ms (worst {max(paints):.0f})")
    print(f"an empty page after {statistics.median(empty):.0f} ms (worst {max(empty):.0f})")
    for language, facts in weights.items():
        packed, unpacked = facts["packed"] / 1000, facts["unpacked"] / 1000
        print(f"{language}: {packed:.0f} kB in {facts['files']} files, unpacked {unpacked:.0f} kB")
    print(f"a click is shown in {statistics.median(clicks):.0f} ms (worst {max(clicks):.0f})")


if __name__ == "__main__":
    main()
