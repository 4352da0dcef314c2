import { t } from "@lingui/core/macro";
import { type FormEvent, useRef, useState } from "react";
import { ErrorNotice } from "#/components/ui/feedback/error-notice.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { TestNote } from "#/entities/billing/test-note.tsx";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import styles from "./add-card.module.css";
import type { CardFormProps } from "./card-form-props.ts";
import { createCardReturnPath } from "./card-return-path.ts";
import { usePaymentElement } from "./use-payment-element.ts";

type Props = CardFormProps & { publishableKey: string; clientSecret: string; isTest: boolean };

/** Adds a card in Stripe's form: its number goes to Stripe only, and the bank's question is asked above the page. */
export function StripeCardForm(props: Props) {
  const { intentId, onAdded, returnTo, submitLabel, quiet, onRenew, publishableKey, clientSecret, isTest } = props;
  const host = useRef<HTMLDivElement>(null);
  const element = usePaymentElement(host, publishableKey, clientSecret);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isConfirming, setConfirming] = useState(false);
  const saving = useAction(
    (_: null, options) => feather.paymentMethods.setupIntents.confirm(intentId, undefined, options),
    { showsError: true },
  );
  const isBusy = isConfirming || saving.busy;

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (element.kind !== "ready") return;
    setConfirming(true);
    setRefusal(null);
    createCardReturnPath().save(returnTo(intentId));
    const return_url = new URL("/account/payment-method-added", location.href).href;
    const { stripe, elements } = element;
    const { error } = await stripe.confirmSetup({ elements, confirmParams: { return_url }, redirect: "if_required" });
    setConfirming(false);
    if (error) return setRefusal(error.message ?? t`The card was not accepted. Try another one.`);
    const saved = await saving.run(null);
    if (!saved) return;
    createCardReturnPath().clear();
    onAdded(saved.value);
  }

  return (
    <form className={`mt-4 ${styles.addCard}`} onSubmit={(event) => void submit(event)} noValidate>
      {isTest ? (
        <div className={styles.testNote}>
          <TestNote>{t`Stripe is in test mode: only its test cards work here. Do not enter a real one.`}</TestNote>
        </div>
      ) : null}
      <ErrorNotice error={saving.error} />
      {refusal === null ? null : (
        <p className="notice fault" role="alert">
          {refusal}
        </p>
      )}
      {element.kind === "failed" ? (
        <div className="notice fault" role="alert">
          <p>{t`Stripe's card form cannot be loaded. A blocker in the browser or the network may prevent it.`}</p>
          <button type="button" className="btn" onClick={onRenew}>
            {t`Try again`}
          </button>
        </div>
      ) : null}
      {element.kind === "loading" ? <Skeleton height={120} /> : null}
      <div ref={host} />
      <button
        type="submit"
        className={`btn mt-4${quiet ? "" : " primary"}`}
        disabled={isBusy || element.kind !== "ready"}
        aria-busy={isBusy}
      >
        {isBusy ? t`Please wait …` : submitLabel}
      </button>
    </form>
  );
}
