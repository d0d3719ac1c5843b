// Steps of the mouse wheel.

/** Pixels of the wheel for one step. */
const STEP = 50;

/**
 * Call `step` with 1 or -1 for each step of the wheel over an element; while it is not active, the
 * wheel scrolls the page.
 *
 * @param {Element & GlobalEventHandlers} element
 * @param {() => boolean} isActive
 * @param {(direction: number) => void} step
 */
export function onWheelStep(element, isActive, step) {
  let distance = 0;
  /** @param {WheelEvent} event */
  const onWheel = (event) => {
    if (!isActive() || event.ctrlKey || event.deltaY === 0) return;
    event.preventDefault();
    if (Math.sign(distance) !== Math.sign(event.deltaY)) distance = 0;
    distance += event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : STEP;
    if (Math.abs(distance) < STEP) return;
    distance = 0;
    step(Math.sign(event.deltaY));
  };
  element.addEventListener("wheel", onWheel, { passive: false });
}
