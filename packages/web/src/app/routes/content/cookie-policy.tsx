import { t } from "@lingui/core/macro";
import { LegalView, prefetchLegal } from "#/features/content/legal-view.tsx";

/** The cookie policy. */
export default function CookiePolicyPage() {
  return <LegalView slug="cookie-policy" title={t`Cookie Policy`} />;
}

/** Loads the text before the page is shown. */
export const prepare = prefetchLegal("cookie-policy");
