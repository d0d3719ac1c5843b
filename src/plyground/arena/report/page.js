// A click on a column's name sorts the table by it: numbers by their value, the largest first.
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const key = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent;
      const isNumber = [...table.tBodies[0].rows].every((row) => !Number.isNaN(Number(key(row))));
      const before = head.getAttribute("aria-sort");
      const ascending = before ? before === "descending" : !isNumber;
      const sign = ascending ? 1 : -1;
      const rows = [...table.tBodies[0].rows].sort((a, b) => {
        const [x, y] = [key(a), key(b)];
        if (!isNumber) return sign * x.localeCompare(y);
        if (x === "" || y === "") return (x === "") - (y === "");  // what is not known comes last
        return sign * (Number(x) - Number(y));
      });
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
      table.tBodies[0].append(...rows);
    });
  });
}
