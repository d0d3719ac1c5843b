// The choice of the page's language. The server reads it from a cookie and sends the page in it.

import { $ } from "./dom.js";

const YEAR_S = 365 * 24 * 3600;

export function wireLanguage() {
  const select = $("language");
  select.addEventListener("change", () => {
    const { cookie = "" } = select.dataset;
    document.cookie = `${cookie}=${select.value}; path=/; max-age=${YEAR_S}; samesite=lax`;
    location.reload();
  });
}
