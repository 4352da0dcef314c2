import { plural, t } from "@lingui/core/macro";
import { Fragment } from "react";
import { State } from "#/components/ui/bits.tsx";
import { CopyButton } from "#/components/ui/code.tsx";
import { Dialog } from "#/components/ui/dialog.tsx";
import { TerminalTwin } from "#/components/ui/terminal-twin.tsx";
import { usd } from "#/features/billing/money.ts";
import { count, dateFormat } from "#/lib/format.ts";
import { OUTCOMES, resultOf } from "./outcomes.ts";
import type { Receipt } from "./queries.ts";

const time = dateFormat({ dateStyle: "medium", timeStyle: "long" });
const milliseconds = (value: number | null) => (value === null ? "–" : t`${count(value)} ms`);

type Props = { receipt: Receipt | null; keyName(receipt: Receipt): string; close(): void };

/** The details of one request. */
export function ReceiptDialog({ receipt, keyName, close }: Props) {
  return (
    <Dialog open={receipt !== null} onClose={close} title={t`Receipt`}>
      {receipt ? (
        <>
          <dl className="facts mt-4">
            {factsOf(receipt, keyName(receipt)).map(([term, value]) => (
              <Fragment key={term}>
                <dt>{term}</dt>
                <dd className="num">{value}</dd>
              </Fragment>
            ))}
            <dt>{t`Result`}</dt>
            <dd>
              <State tier={OUTCOMES[receipt.outcome].tier}>{resultOf(receipt)}</State>
            </dd>
          </dl>
          <p className="row between mt-4 address">
            <code className="mono small">{receipt.id}</code>
            <CopyButton text={receipt.id} what={t`the id of the request`} />
          </p>
          <TerminalTwin command={`feather api GET /usage/requests/${receipt.id}`} />
          <div className="actions">
            <button type="button" className="btn" onClick={close}>
              {t`Close`}
            </button>
          </div>
        </>
      ) : null}
    </Dialog>
  );
}

function factsOf(receipt: Receipt, key: string): [string, string][] {
  const { prompt_tokens, completion_tokens, cached_tokens, estimated, units, cost_nano_usd } = receipt;
  const read =
    cached_tokens > 0 ? t`${count(prompt_tokens)}, ${count(cached_tokens)} of them cached` : count(prompt_tokens);
  return [
    [t`Model`, receipt.model],
    [t`Key`, key],
    [t`Began`, time.format(receipt.started_at)],
    ...(receipt.queued_ms > 0
      ? [[t`Waited for its turn`, milliseconds(receipt.queued_ms)] satisfies [string, string]]
      : []),
    [t`First token after`, milliseconds(receipt.first_byte_ms)],
    [t`Took`, milliseconds(receipt.duration_ms)],
    [t`Tokens in`, estimated ? t`about ${read}` : read],
    [t`Tokens out`, estimated ? t`about ${count(completion_tokens)}` : count(completion_tokens)],
    [t`Units held`, plural(units, { one: "# unit", other: "# units" })],
    [t`Cost`, receipt.cost_status === "not_applicable" ? t`in the plan` : usd(cost_nano_usd)],
  ];
}
