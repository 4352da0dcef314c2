import { t } from "@lingui/core/macro";
import { LegalView, prefetchLegal } from "#/features/content/legal-view.tsx";

/** The terms of service. */
export default function TermsPage() {
  return <LegalView slug="terms" title={t`Terms of Service`} />;
}

/** Loads the text before the page is shown. */
export const prepare = prefetchLegal("terms");
