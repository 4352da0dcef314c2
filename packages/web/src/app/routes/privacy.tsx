import { LegalView } from "#/features/content/legal-view.tsx";

export default function PrivacyPage() {
  return <LegalView slug="privacy" title="Privacy Policy" />;
}
