// Before anything is painted: the colours that were chosen here, if any were.
try {
  const theme = JSON.parse(localStorage.getItem("plyground.theme"));
  if (theme && theme !== "auto") document.documentElement.dataset.theme = theme;
} catch {
  // Then it is as the system has it.
}
