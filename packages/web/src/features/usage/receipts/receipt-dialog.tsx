import type { Receipt } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { Fragment } from "react";
import { CopyButton } from "#/components/ui/code/copy-button.tsx";
import { TerminalCommand } from "#/components/ui/code/terminal-command.tsx";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { formatNanoUsd } from "#/entities/money/money.ts";
import { createDateFormat, formatCount, formatList, formatShortPercent } from "#/lib/format.ts";
import { describeResult, OUTCOME_LABELS } from "../outcomes.ts";
import { PlaceCosts } from "./place-costs.tsx";

const dateTimeFormat = createDateFormat({ dateStyle: "medium", timeStyle: "long" });
const formatMilliseconds = (value: number | null) => (value === null ? "–" : t`${formatCount(value)} ms`);

/** By what the place was chosen. */
const CHOICE_LABELS: Readonly<Record<NonNullable<Receipt["chosen_by"]>, string>> = {
  only: t`no other place could answer`,
  caller: t`by the preferences of the call`,
  balanced: t`as the place with the least to do`,
  own_first: t`as the operator's own, before others`,
  price: t`by price`,
  latency: t`by latency`,
  throughput: t`by throughput`,
};

type Props = { receipt: Receipt | null; keyName(receipt: Receipt): string; close(): void };

/** The details of one request. */
export function ReceiptDialog({ receipt, keyName, close }: Props) {
  return (
    <Dialog open={receipt !== null} onClose={close} title={t`Receipt`}>
      {receipt ? (
        <>
          <dl className="facts mt-4">
            {listFacts(receipt, keyName(receipt)).map(([term, value]) => (
              <Fragment key={term}>
                <dt>{term}</dt>
                <dd className="num">{value}</dd>
              </Fragment>
            ))}
            <dt>{t`Result`}</dt>
            <dd>
              <StateBadge tier={OUTCOME_LABELS[receipt.outcome].tier}>{describeResult(receipt)}</StateBadge>
            </dd>
          </dl>
          <PlaceCosts receipt={receipt} />
          <p className="row between mt-4 address">
            <code className="mono small">{receipt.id}</code>
            <CopyButton text={receipt.id} subject={t`the id of the request`} />
          </p>
          <TerminalCommand command={`feather api GET /usage/requests/${receipt.id}`} />
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

function listFacts(receipt: Receipt, key: string): [string, string][] {
  const { prompt_tokens, completion_tokens, cached_tokens, audio_seconds, estimated, units, cost_nano_usd } = receipt;
  const promptTokens =
    cached_tokens > 0
      ? t`${formatCount(prompt_tokens)}, ${formatCount(cached_tokens)} of them cached`
      : formatCount(prompt_tokens);
  return [
    [t`Model`, receipt.model],
    ...(receipt.alias === null ? [] : [[t`Called as`, receipt.alias] satisfies [string, string]]),
    ...(receipt.place === null ? [] : [[t`Answered at`, describePlace(receipt.place)] satisfies [string, string]]),
    ...(receipt.chosen_by === null ? [] : [[t`Chosen`, CHOICE_LABELS[receipt.chosen_by]] satisfies [string, string]]),
    ...(receipt.own_key ? [[t`Paid at the provider`, describeOwnKey(receipt)] satisfies [string, string]] : []),
    ...(receipt.passed_over.length > 0
      ? [[t`Passed over`, formatList(receipt.passed_over.map(describePassedOver))] satisfies [string, string]]
      : []),
    [t`Key`, key],
    [t`Began`, dateTimeFormat.format(receipt.started_at)],
    ...(receipt.queued_ms > 0
      ? [[t`Waited for its turn`, formatMilliseconds(receipt.queued_ms)] satisfies [string, string]]
      : []),
    [t`First token after`, formatMilliseconds(receipt.first_byte_ms)],
    [t`Took`, formatMilliseconds(receipt.duration_ms)],
    ...(audio_seconds === null
      ? []
      : [[t`Length of the sound`, t`${formatCount(audio_seconds)} s`] satisfies [string, string]]),
    [t`Tokens in`, estimated ? t`about ${promptTokens}` : promptTokens],
    [t`Tokens out`, estimated ? t`about ${formatCount(completion_tokens)}` : formatCount(completion_tokens)],
    [t`Units held`, plural(units, { one: "# unit", other: "# units" })],
    [t`Cost`, receipt.cost_status === "not_applicable" ? t`in the plan` : formatNanoUsd(cost_nano_usd)],
  ];
}

const describePassedOver = ({ model, reason }: Receipt["passed_over"][number]): string => `${model} (${reason})`;

/** With which key a call was paid at the provider, and what this server charged for it. */
const describeOwnKey = ({ own_key_fee_percent: fee }: Receipt): string =>
  fee === null
    ? t`with the organization's own key`
    : t`with the organization's own key; ${formatShortPercent(fee)} of the price here`;

/** The name of a place in the words of this page; providers have their ids. */
const describePlace = (place: string): string =>
  place === "server" ? t`this server` : place === "network" ? t`a server of the operator` : place;
