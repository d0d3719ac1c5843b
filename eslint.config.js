// Lint rules for the scripts of the web page and of the tournament report.

import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["node_modules/", "build/", "dist/", ".venv*/"] },
  js.configs.recommended,
  {
    files: ["src/**/*.js"],
    languageOptions: { ecmaVersion: 2023, globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "array-callback-return": "error",
      "consistent-return": "error",
      "default-case-last": "error",
      eqeqeq: "error",
      "no-console": "error",
      "no-lonely-if": "error",
      "no-promise-executor-return": "error",
      "no-self-compare": "error",
      "no-shadow": "error",
      "no-throw-literal": "error",
      "no-unmodified-loop-condition": "error",
      "no-unneeded-ternary": "error",
      "no-unused-expressions": "error",
      "no-use-before-define": ["error", { functions: false, variables: false }],
      "no-useless-return": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
    },
  },
  {
    // Classic scripts: they run before the page is painted, or inside a page that is one file.
    files: ["src/plyground/ui/web/static/theme.js", "src/plyground/arena/report/page.js"],
    languageOptions: { sourceType: "script" },
  },
];
