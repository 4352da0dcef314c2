import { t } from "@lingui/core/macro";
import { navigateToExternalUrl } from "#/lib/navigation/external-navigation.ts";
import type { CardFormProps } from "./card-form-props.ts";
import { createCardReturnPath } from "./card-return-path.ts";

type Props = { url: string } & Pick<CardFormProps, "intentId" | "returnTo">;

/** Leads to the page of the payment service where a card is entered. It leads back to the page that follows an added card. */
export function PaymentServicePage({ url, intentId, returnTo }: Props) {
  function open(): void {
    const returnPath = createCardReturnPath();
    returnPath.save(returnTo(intentId));
    returnPath.saveIntent(intentId);
    navigateToExternalUrl(url);
  }

  return (
    <div className="mt-4">
      <p className="muted">{t`Card numbers are entered at the payment service only; they never come here.`}</p>
      <button type="button" className="btn primary mt-3" onClick={open}>
        {t`Go to the payment service`}
      </button>
    </div>
  );
}
