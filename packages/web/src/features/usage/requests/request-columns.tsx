import type { Receipt } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { Link } from "react-router-dom";
import type { Column } from "#/components/list/list-table.tsx";
import { Barbs } from "#/components/ui/labels/barbs.tsx";
import { ModelId } from "#/components/ui/labels/model-id.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { formatCount, formatMoment } from "#/lib/format.ts";
import { describeResult, OUTCOME_LABELS } from "../outcomes.ts";
import {
  describeCost,
  describeKey,
  describeMember,
  describePlace,
  formatMilliseconds,
  formatSpeed,
  type ReceiptNames,
} from "./describe-receipt.ts";
import { TIME_SORTS } from "./request-filters.ts";

const MAX_BARBS = 4;

/** Returns the columns of the requests; the link of a row opens its receipt at the address that `searchOf` returns. */
export function createRequestColumns(names: ReceiptNames, searchOf: (receipt: Receipt) => string): Column<Receipt>[] {
  const named = (id: string, name: string, column: Omit<Column<Receipt>, "header">): Column<Receipt> => ({
    id,
    name,
    header: name,
    ...column,
  });
  return [
    {
      header: t`Model`,
      cell: (receipt) => (
        <Link
          className="row-link"
          to={{ search: searchOf(receipt) }}
          aria-label={t`Receipt of ${receipt.model}, ${formatMoment(receipt.started_at)}: ${describeResult(receipt)}`}
        >
          <ModelId id={receipt.model} />
        </Link>
      ),
      className: "title",
    },
    named("time", t`Time`, {
      cell: ({ started_at }) => <span className="num mono small">{formatMoment(started_at)}</span>,
      sorts: TIME_SORTS,
    }),
    named("key", t`Key`, { cell: (receipt) => <bdi className="muted">{describeKey(receipt, names)}</bdi> }),
    named("member", t`Member`, {
      cell: (receipt) => <bdi className="muted">{describeMember(receipt, names)}</bdi>,
      hideWhenNarrow: true,
    }),
    named("in", t`In`, { cell: ({ prompt_tokens }) => formatCount(prompt_tokens), isNumeric: true }),
    named("out", t`Out`, { cell: ({ completion_tokens }) => formatCount(completion_tokens), isNumeric: true }),
    named("cost", t`Cost`, { cell: describeCost, isNumeric: true }),
    named("first", t`First token`, {
      cell: ({ first_byte_ms }) => formatMilliseconds(first_byte_ms),
      isNumeric: true,
      hideWhenNarrow: true,
    }),
    named("took", t`Took`, { cell: ({ duration_ms }) => formatMilliseconds(duration_ms), isNumeric: true }),
    named("speed", t`Tokens/s`, { cell: formatSpeed, isNumeric: true, isHiddenAtFirst: true }),
    named("units", t`Units`, { cell: ({ units }) => <Units units={units} />, isHiddenAtFirst: true }),
    named("place", t`Answered at`, {
      cell: ({ place }) => (place === null ? "–" : describePlace(place)),
      isHiddenAtFirst: true,
    }),
    {
      header: t`Result`,
      name: t`Result`,
      cell: (receipt) => (
        <span className="small">
          <StateBadge tier={OUTCOME_LABELS[receipt.outcome].tier}>{describeResult(receipt)}</StateBadge>
        </span>
      ),
    },
  ];
}

function Units({ units }: { units: number }) {
  return <Barbs active={units} total={MAX_BARBS} label={plural(units, { one: "# unit", other: "# units" })} />;
}

const asText = (value: boolean): string => String(value);

/** The columns of requests in a file. */
export const REQUEST_FILE_COLUMNS: Readonly<Record<string, (receipt: Receipt) => string | number | Date | null>> = {
  id: ({ id }) => id,
  started_at: ({ started_at }) => started_at,
  queued_ms: ({ queued_ms }) => queued_ms,
  model: ({ model }) => model,
  kind: ({ kind }) => kind,
  outcome: ({ outcome }) => outcome,
  error_code: ({ error_code }) => error_code,
  prompt_tokens: ({ prompt_tokens }) => prompt_tokens,
  completion_tokens: ({ completion_tokens }) => completion_tokens,
  cached_tokens: ({ cached_tokens }) => cached_tokens,
  first_byte_ms: ({ first_byte_ms }) => first_byte_ms,
  duration_ms: ({ duration_ms }) => duration_ms,
  units: ({ units }) => units,
  api_key_id: ({ api_key_id }) => api_key_id,
  user_id: ({ user_id }) => user_id,
  place: ({ place }) => place,
  own_key: ({ own_key }) => asText(own_key),
  cost_nano_usd: ({ cost_nano_usd }) => cost_nano_usd,
};
