import { LegalView } from "#/features/content/legal-view.tsx";

export default function CookiePolicyPage() {
  return <LegalView slug="cookie-policy" title="Cookie Policy" />;
}
