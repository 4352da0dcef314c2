import type { BillingDetails } from "@feather/sdk";
import { formatDay } from "@feather/sdk/format";
import { t } from "@lingui/core/macro";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { VAT_ID_STATES } from "#/entities/billing/vat-id-states.ts";

/** What VIES has said of the organization's VAT id, and what follows for the tax. Nothing where VIES is not asked. */
export function VatIdCheckNote({ check }: { check: BillingDetails["vat_id_check"] }) {
  const { state, answered_at, consultation_number } = check;
  if (state === "unchecked") return null;
  const { tier, label } = VAT_ID_STATES[state];
  const number = consultation_number === null ? "" : ` ${t`Consultation number ${consultation_number}.`}`;
  const day = answered_at === null ? "" : formatDay(answered_at, "UTC");
  const texts = {
    checking: t`VIES is being asked if the VAT id is valid. Until it says so, tax is added to what you buy.`,
    valid: t`VIES found the VAT id valid on ${day}, so no tax is added to what you buy.${number}`,
    invalid: t`VIES said on ${day} that the VAT id is not valid, so tax is added to what you buy. Save it again once it is registered for trade within the EU.`,
    unavailable: t`VIES does not answer at the moment, and is asked again. Until it says that the VAT id is valid, tax is added to what you buy. Renewals wait for up to three days.`,
  };
  return (
    <p className="mt-4" aria-live="polite">
      <StateBadge tier={tier}>{label}</StateBadge> <span className="muted">{texts[state]}</span>
    </p>
  );
}
