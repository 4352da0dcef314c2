import "#/styles/index.css";
import { waitForFirstPaint } from "#/lib/browser/after-first-paint.ts";
import { activateLocale } from "#/lib/preferences/language.ts";
import { disableZodJit } from "./disable-zod-jit.ts";

const root = document.getElementById("root");
if (!root) throw new Error("The page has no #root.");

disableZodJit();
// The site is imported after its language is loaded, because modules read messages on import. A page that the server has
// rendered is painted before, since running the scripts would delay that.
void Promise.all([activateLocale(), root.hasChildNodes() && waitForFirstPaint()])
  .then(() => import("./site.tsx"))
  .then(({ renderSite }) => renderSite(root));
