import "#/styles/index.css";
import { startLanguage } from "#/i18n/start.ts";
import { withoutEval } from "./without-eval.ts";

const root = document.getElementById("root");
if (!root) throw new Error("The page has no #root.");

withoutEval();
// The site itself comes after its language: modules may have texts from their first line on.
void startLanguage()
  .then(() => import("./site.tsx"))
  .then(({ drawSite }) => drawSite(root));
