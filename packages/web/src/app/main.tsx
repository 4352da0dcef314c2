import "#/styles/index.css";
import { activateLocale } from "#/lib/language.ts";
import { disableZodJit } from "./disable-zod-jit.ts";

const root = document.getElementById("root");
if (!root) throw new Error("The page has no #root.");

disableZodJit();
// The site is imported after its language is loaded, because modules read messages on import.
void activateLocale()
  .then(() => import("./site.tsx"))
  .then(({ renderSite }) => renderSite(root));
