import type { Receipt as ReceiptData } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { CopyButton } from "#/components/ui/code/copy-button.tsx";
import { TerminalCommand } from "#/components/ui/code/terminal-command.tsx";
import { Sheet } from "#/components/ui/dialogs/sheet.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { createDateFormat, formatCount, formatList, formatShortPercent } from "#/lib/format.ts";
import { queries } from "#/lib/queries.ts";
import { describeResult, OUTCOME_LABELS } from "../outcomes.ts";
import {
  describeCost,
  describeKey,
  describeMember,
  describePlace,
  formatMilliseconds,
  type ReceiptNames,
} from "./describe-receipt.ts";
import { PlaceCosts } from "./place-costs.tsx";

const dateTimeFormat = createDateFormat({ dateStyle: "medium", timeStyle: "long" });

/** By what the place was chosen. */
const CHOICE_LABELS: Readonly<Record<NonNullable<ReceiptData["chosen_by"]>, string>> = {
  only: t`no other place could answer`,
  caller: t`by the preferences of the call`,
  balanced: t`as the place with the least to do`,
  own_first: t`as the operator's own, before others`,
  price: t`by price`,
  latency: t`by latency`,
  throughput: t`by throughput`,
};

type Props = {
  /** The id of the request; null while the panel is closed. */
  id: string | null;
  /** The request as the list has it, shown until its receipt is read. */
  listed: ReceiptData | undefined;
  names: ReceiptNames;
  close(): void;
};

/** A panel with the details of one request. */
export function ReceiptPanel({ id, listed, names, close }: Props) {
  return (
    <Sheet open={id !== null} onClose={close} title={t`Receipt`} isWide>
      {id === null ? null : <Receipt id={id} listed={listed} names={names} />}
    </Sheet>
  );
}

function Receipt({ id, listed, names }: Pick<Props, "listed" | "names"> & { id: string }) {
  const { data, error, refetch } = useQuery(queries.usage.requests.get.queryOptions(id));
  const receipt = data ?? listed;
  if (receipt === undefined)
    return error ? (
      <LoadError subject={t`The receipt`} error={error} retry={() => void refetch()} />
    ) : (
      <Skeleton height={320} />
    );
  return (
    <>
      <dl className="facts">
        {listFacts(receipt, names).map(([term, value]) => (
          <Fragment key={term}>
            <dt>{term}</dt>
            <dd className="num user-text">{value}</dd>
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
      <TerminalCommand command={`feather usage show ${receipt.id}`} />
    </>
  );
}

function listFacts(receipt: ReceiptData, names: ReceiptNames): [string, string][] {
  const { prompt_tokens, completion_tokens, cached_tokens, audio_seconds, estimated, units } = receipt;
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
    [t`Key`, describeKey(receipt, names)],
    ...(receipt.user_id === null ? [] : [[t`Member`, describeMember(receipt, names)] satisfies [string, string]]),
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
    [t`Cost`, describeCost(receipt)],
  ];
}

const describePassedOver = ({ model, reason }: ReceiptData["passed_over"][number]): string => `${model} (${reason})`;

/** With which key a call was paid at the provider, and what this server charged for it. */
const describeOwnKey = ({ own_key_fee_percent: fee }: ReceiptData): string =>
  fee === null
    ? t`with the organization's own key`
    : t`with the organization's own key; ${formatShortPercent(fee)} of the price here`;
