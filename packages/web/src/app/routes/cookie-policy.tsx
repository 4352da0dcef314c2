import { t } from "@lingui/core/macro";
import { LegalView, prepareLegal } from "#/features/content/legal-view.tsx";

export default function CookiePolicyPage() {
  return <LegalView slug="cookie-policy" title={t`Cookie Policy`} />;
}

export const prepare = prepareLegal("cookie-policy");
