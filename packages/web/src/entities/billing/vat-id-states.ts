import type { Invoice } from "@feather/sdk";
import { t } from "@lingui/core/macro";

type VatIdState = NonNullable<Invoice["vat_id_check"]>["state"];

/** How the states of checked VAT ids are shown. */
export const VAT_ID_STATES: Readonly<Record<Exclude<VatIdState, "unchecked">, { tier: string; label: string }>> = {
  checking: { tier: "loading", label: t`VAT id is being checked` },
  valid: { tier: "good", label: t`VAT id is valid` },
  invalid: { tier: "bad", label: t`VAT id is not valid` },
  unavailable: { tier: "loading", label: t`VAT id is not confirmed` },
};
