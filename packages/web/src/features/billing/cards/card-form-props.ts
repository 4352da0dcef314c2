import type { PaymentMethod } from "@feather/sdk";

/** What a form for a card gets. */
export type CardFormProps = {
  /** The setup intent that the form confirms. */
  intentId: string;
  /** Returns the path to continue at after the bank's page. */
  returnTo(intentId: string): string;
  submitLabel: string;
  quiet: boolean;
  onAdded(card: PaymentMethod): void;
  /** Called to begin anew with another setup intent. */
  onRenew(): void;
};
