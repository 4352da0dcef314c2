import { LegalView } from "#/features/content/legal-view.tsx";

export default function TermsPage() {
  return <LegalView slug="terms" title="Terms of Service" />;
}
