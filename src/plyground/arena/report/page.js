// Sort a table by the column whose heading is clicked: numbers by value, largest first.

/** @type {NodeListOf<HTMLTableElement>} */
const tables = document.querySelectorAll("table.sortable");
for (const table of tables) {
  const headings = [...(table.tHead?.rows[0]?.cells ?? [])];
  for (const heading of headings) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => sortBy(table, heading, headings));
  }
}

/**
 * @param {HTMLTableElement} table
 * @param {HTMLTableCellElement} heading
 * @param {HTMLTableCellElement[]} headings
 */
function sortBy(table, heading, headings) {
  const column = heading.cellIndex;
  const rows = [...(table.tBodies[0]?.rows ?? [])];
  const isNumeric = rows.every((row) => !Number.isNaN(Number(sortKey(row, column))));
  const order = heading.getAttribute("aria-sort");
  const isAscending = order ? order === "descending" : !isNumeric;
  const sign = isAscending ? 1 : -1;
  rows.sort((one, other) => {
    const [a, b] = [sortKey(one, column), sortKey(other, column)];
    return isNumeric ? compareNumbers(a, b, sign) : sign * a.localeCompare(b);
  });
  headings.forEach((each) => each.removeAttribute("aria-sort"));
  heading.setAttribute("aria-sort", isAscending ? "ascending" : "descending");
  table.tBodies[0]?.append(...rows);
}

/**
 * @param {HTMLTableRowElement} row
 * @param {number} column
 */
function sortKey(row, column) {
  const cell = row.cells[column];
  return cell?.dataset.value ?? cell?.textContent ?? "";
}

/**
 * Compare two numbers in text form; empty texts come last in either order.
 *
 * @param {string} a
 * @param {string} b
 * @param {number} sign
 */
function compareNumbers(a, b, sign) {
  if (a === "" || b === "") return Number(a === "") - Number(b === "");
  return sign * (Number(a) - Number(b));
}
