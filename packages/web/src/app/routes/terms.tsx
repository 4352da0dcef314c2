import { t } from "@lingui/core/macro";
import { LegalView, prepareLegal } from "#/features/content/legal-view.tsx";

export default function TermsPage() {
  return <LegalView slug="terms" title={t`Terms of Service`} />;
}

export const prepare = prepareLegal("terms");
