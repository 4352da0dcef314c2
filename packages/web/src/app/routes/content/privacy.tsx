import { t } from "@lingui/core/macro";
import { LegalView, prefetchLegal } from "#/features/content/legal-view.tsx";

/** The privacy policy. */
export default function PrivacyPage() {
  return <LegalView slug="privacy" title={t`Privacy Policy`} />;
}

/** Loads the text before the page is shown. */
export const prepare = prefetchLegal("privacy");
