import "#/styles/index.css";
import { startLanguage } from "#/i18n/start.ts";
import { withoutEval } from "./without-eval.ts";

const root = document.getElementById("root");
if (!root) throw new Error("The page has no #root.");

withoutEval();
// The site is imported after its language is loaded, because modules read messages on import.
void startLanguage()
  .then(() => import("./site.tsx"))
  .then(({ drawSite }) => drawSite(root));
