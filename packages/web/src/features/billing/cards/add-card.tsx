import { isApiError, type PaymentMethod } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { ErrorNotice } from "#/components/ui/feedback/error-notice.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Field } from "#/components/ui/forms/field.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { TestNote } from "#/entities/billing/test-note.tsx";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { useStripeKey } from "#/lib/site-config.ts";
import { useAction } from "#/lib/use-action.ts";
import styles from "./add-card.module.css";
import type { CardFormProps } from "./card-form-props.ts";
import { createCardReturnPath } from "./card-return-path.ts";
import { PaymentServicePage } from "./payment-service-page.tsx";
import { StripeCardForm } from "./stripe-card-form.tsx";
import { parseCardDigits, TEST_CARDS } from "./test-cards.ts";

const intentQuery = {
  ...queries.paymentMethods.setupIntents.create.queryOptions(),
  staleTime: 3_600_000,
};

type Props = {
  /** Called with the added card and the id of its setup intent. */
  onAdded(card: PaymentMethod, intentId: string): void;
  /** Returns the path to continue at after the bank's page. */
  returnTo(intentId: string): string;
  submitLabel?: string;
  quiet?: boolean;
};

/** Adds a card: in Stripe's form, on the page of another payment service, or with a test card where payments are tests. */
export function AddCard({ onAdded, returnTo, submitLabel = t`Add card`, quiet = false }: Props) {
  const client = useQueryClient();
  const intent = useQuery(intentQuery);
  const stripeKey = useStripeKey();
  if (intent.isError)
    return <LoadError subject={t`The form`} error={intent.error} retry={() => void intent.refetch()} />;
  if (!intent.data || stripeKey === undefined)
    return (
      <div className="mt-4" aria-busy="true">
        <Skeleton height={120} />
      </div>
    );
  const { id, client_secret, url, is_test } = intent.data;
  const form = {
    intentId: id,
    returnTo,
    submitLabel,
    quiet,
    onRenew: () => void client.resetQueries({ queryKey: intentQuery.queryKey }),
    onAdded: (card: PaymentMethod) => {
      client.removeQueries({ queryKey: intentQuery.queryKey });
      onAdded(card, id);
    },
  };
  if (url !== null) return <PaymentServicePage url={url} intentId={id} returnTo={returnTo} />;
  if (stripeKey !== null && client_secret !== null)
    return <StripeCardForm {...form} publishableKey={stripeKey} clientSecret={client_secret} isTest={is_test} />;
  return <TestCardForm {...form} />;
}

function TestCardForm({ intentId, onAdded, returnTo, submitLabel, quiet, onRenew }: CardFormProps) {
  const [number, setNumber] = useState(TEST_CARDS[0]?.number ?? "");
  const [touched, setTouched] = useState(false);
  const digits = parseCardDigits(number);
  const attempt = useAction(
    (test_card: string, options) => feather.paymentMethods.setupIntents.confirm(intentId, { test_card }, options),
    { showsError: true },
  );
  const hasIntentEnded = isApiError(attempt.error) && attempt.error.code === "setup_intents.ended";

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setTouched(true);
    if (digits === null) return;
    createCardReturnPath().save(returnTo(intentId));
    const confirmed = await attempt.run(digits);
    if (!confirmed) return;
    createCardReturnPath().clear();
    onAdded(confirmed.value);
  }

  return (
    <form className={`mt-4 ${styles.addCard}`} onSubmit={(event) => void submit(event)} noValidate>
      <div className={styles.testNote}>
        <TestNote>{t`Only test cards work here. Do not enter a real one.`}</TestNote>
      </div>
      <ErrorNotice error={attempt.error}>
        {hasIntentEnded ? (
          <button type="button" className="btn" onClick={onRenew}>
            {t`Begin anew`}
          </button>
        ) : null}
      </ErrorNotice>
      <Field
        label={t`Test card number`}
        value={number}
        inputMode="numeric"
        autoComplete="off"
        onChange={(event) => setNumber(event.target.value)}
        onBlur={() => setTouched(true)}
        errors={touched && digits === null ? [t`Card number is not valid: it has 12 to 19 digits.`] : []}
      />
      <TestCards onSelect={setNumber} />
      <button
        type="submit"
        className={`btn mt-4${quiet ? "" : " primary"}`}
        disabled={attempt.busy}
        aria-busy={attempt.busy}
      >
        {attempt.busy ? t`Please wait …` : submitLabel}
      </button>
    </form>
  );
}

/** The test cards and their effects; clicking one selects it. */
function TestCards({ onSelect }: { onSelect(number: string): void }) {
  const title = useId();
  return (
    <div className="mt-3">
      <p className="label" id={title}>
        {t`Test cards`}
      </p>
      <ul className={styles.testCards} aria-labelledby={title}>
        {TEST_CARDS.map(({ number, effect }) => (
          <li key={number}>
            <button type="button" className="mono" onClick={() => onSelect(number)}>
              {number}
            </button>
            <span className="muted small">{effect}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
