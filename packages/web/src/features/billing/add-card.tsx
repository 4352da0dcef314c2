import { isApiError } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { Skeleton } from "#/components/ui/bits.tsx";
import { FaultNotice, ReadFault } from "#/components/ui/fault-notice.tsx";
import { Field } from "#/components/ui/field.tsx";
import { feather } from "#/lib/feather.ts";
import { leaveFor } from "#/lib/leave.ts";
import { useAttempt } from "#/lib/use-attempt.ts";
import { createAfterCard } from "./after-card.ts";
import type { Card } from "./cards.ts";
import { TestNote } from "./notes.tsx";
import { cardDigits, TEST_CARDS } from "./test-cards.ts";

const intentQuery = {
  queryKey: ["setup-intent"],
  queryFn: async () => feather.paymentMethods.setupIntents.create(),
  staleTime: 3_600_000,
};

type Props = {
  /** Called with the added card and the id of its setup intent. */
  added(card: Card, intentId: string): void;
  /** Returns the path to continue at after the bank's page. */
  returnTo(intentId: string): string;
  submitLabel?: string;
  quiet?: boolean;
};

/** Adds a card: a test card where payments are tests, else on the payment service's page. */
export function AddCard({ added, returnTo, submitLabel = t`Add card`, quiet = false }: Props) {
  const client = useQueryClient();
  const intent = useQuery(intentQuery);
  if (intent.isError) return <ReadFault what={t`The form`} error={intent.error} again={() => void intent.refetch()} />;
  if (!intent.data)
    return (
      <div className="mt-4" aria-busy="true">
        <Skeleton height={120} />
      </div>
    );
  if (!intent.data.is_test) return <ElsewhereForm />;
  const { id } = intent.data;
  return (
    <TestCardForm
      intentId={id}
      returnTo={returnTo}
      submitLabel={submitLabel}
      quiet={quiet}
      renew={() => void client.resetQueries({ queryKey: intentQuery.queryKey })}
      added={(card) => {
        client.removeQueries({ queryKey: intentQuery.queryKey });
        added(card, id);
      }}
    />
  );
}

type FormProps = Required<Pick<Props, "returnTo" | "submitLabel" | "quiet">> & {
  intentId: string;
  added(card: Card): void;
  renew(): void;
};

function TestCardForm({ intentId, added, returnTo, submitLabel, quiet, renew }: FormProps) {
  const [number, setNumber] = useState(TEST_CARDS[0]?.number ?? "");
  const [left, setLeft] = useState(false);
  const digits = cardDigits(number);
  const attempt = useAttempt((test_card: string, options) =>
    feather.paymentMethods.setupIntents.confirm(intentId, { test_card }, options),
  );
  const ended = isApiError(attempt.error) && attempt.error.code === "setup_intents.ended";

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setLeft(true);
    if (digits === null) return;
    createAfterCard().remember(returnTo(intentId));
    const confirmed = await attempt.run(digits);
    if (!confirmed) return;
    createAfterCard().forget();
    added(confirmed.value);
  }

  return (
    <form className="mt-4 add-card" onSubmit={(event) => void submit(event)} noValidate>
      <TestNote>{t`Only test cards work here. Do not enter a real one.`}</TestNote>
      <FaultNotice error={attempt.error}>
        {ended ? (
          <button type="button" className="btn" onClick={renew}>
            {t`Begin anew`}
          </button>
        ) : null}
      </FaultNotice>
      <Field
        label={t`Test card number`}
        value={number}
        inputMode="numeric"
        autoComplete="off"
        onChange={(event) => setNumber(event.target.value)}
        onBlur={() => setLeft(true)}
        errors={left && digits === null ? [t`Card number is not valid: it has 12 to 19 digits.`] : []}
      />
      <TestCards take={setNumber} />
      <button
        type="submit"
        className={`btn mt-4${quiet ? "" : " primary"}`}
        disabled={attempt.busy}
        aria-busy={attempt.busy}
      >
        {attempt.busy ? t`One moment …` : submitLabel}
      </button>
    </form>
  );
}

/** The test cards and their effects; clicking one selects it. */
function TestCards({ take }: { take(number: string): void }) {
  const title = useId();
  return (
    <div className="mt-3">
      <p className="label" id={title}>
        {t`Test cards`}
      </p>
      <ul className="test-cards" aria-labelledby={title}>
        {TEST_CARDS.map(({ number, does }) => (
          <li key={number}>
            <button type="button" className="mono" onClick={() => take(number)}>
              {number}
            </button>
            <span className="mid small">{does}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function ElsewhereForm() {
  const portal = useAttempt((_: null, options) => feather.subscription.customerPortal(options));
  async function open(): Promise<void> {
    const opened = await portal.run(null);
    if (opened) leaveFor(opened.value.url);
  }
  return (
    <div className="mt-4">
      <p className="mid">{t`Card numbers are entered at the payment service only; they never come here.`}</p>
      <FaultNotice error={portal.error} />
      <button type="button" className="btn mt-3" disabled={portal.busy} onClick={() => void open()}>
        {portal.busy ? t`Opening …` : t`Go to the payment service`}
      </button>
    </div>
  );
}
