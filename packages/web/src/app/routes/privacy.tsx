import { t } from "@lingui/core/macro";
import { LegalView, prepareLegal } from "#/features/content/legal-view.tsx";

export default function PrivacyPage() {
  return <LegalView slug="privacy" title={t`Privacy Policy`} />;
}

export const prepare = prepareLegal("privacy");
