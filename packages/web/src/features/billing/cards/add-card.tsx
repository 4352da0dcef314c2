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
import { navigateToExternalUrl } from "#/lib/navigation/external-navigation.ts";
import { queries } from "#/lib/queries.ts";
import { useStripeKey } from "#/lib/site-config.ts";
import { useAction } from "#/lib/use-action.ts";
import styles from "./add-card.module.css";
import type { CardFormProps } from "./card-form-props.ts";
import { createCardReturnPath } from "./card-return-path.ts";
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

/** Adds a card: in Stripe's form, with a test card where payments are tests, else on the payment service's page. */
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
  const { id, client_secret, is_test } = intent.data;
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
  if (stripeKey !== null)
    return <StripeCardForm {...form} publishableKey={stripeKey} clientSecret={client_secret} isTest={is_test} />;
  return is_test ? <TestCardForm {...form} /> : <PaymentServiceLink />;
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

function PaymentServiceLink() {
  const portal = useAction((_: null, options) => feather.subscription.customerPortal(options), {
    showsError: true,
    onSuccess: ({ url }) => navigateToExternalUrl(url),
  });
  return (
    <div className="mt-4">
      <p className="muted">{t`Card numbers are entered at the payment service only; they never come here.`}</p>
      <ErrorNotice error={portal.error} />
      <button type="button" className="btn mt-3" disabled={portal.busy} onClick={() => void portal.run(null)}>
        {portal.busy ? t`Opening …` : t`Go to the payment service`}
      </button>
    </div>
  );
}
