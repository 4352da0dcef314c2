import type { Invoice } from "@feather/sdk";
import { t } from "@lingui/core/macro";

/** How far the dispute of an invoice's payment is, as a label and the color tier of its dot. */
export const DISPUTE_STATUS: Readonly<Record<"open" | "won" | "lost", { tier: string; label: string }>> = {
  open: { tier: "loading", label: t`disputed` },
  won: { tier: "good", label: t`dispute won` },
  lost: { tier: "bad", label: t`taken back` },
};

/** The state of an invoice as a label and the color tier of its dot. */
export const INVOICE_STATUS: Readonly<Record<Invoice["status"], { tier: string; label: string }>> = {
  draft: { tier: "cold", label: t`draft` },
  open: { tier: "bad", label: t`to be paid` },
  paid: { tier: "good", label: t`paid` },
  void: { tier: "cold", label: t`void` },
  uncollectible: { tier: "cold", label: t`given up` },
};
