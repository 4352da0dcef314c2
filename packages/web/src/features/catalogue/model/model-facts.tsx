import type { Model, Pricing } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { type ReactNode, Suspense } from "react";
import { Link } from "react-router-dom";
import { Barbs } from "#/components/ui/labels/barbs.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { paths } from "#/config/paths.ts";
import { CallSnippets } from "#/entities/models/call-snippets.tsx";
import { formatFit } from "#/entities/models/format-fit.ts";
import { findModelCall } from "#/entities/models/model-call.ts";
import { formatPricePerMillion, formatUsd } from "#/entities/money/money.ts";
import { formatCount, formatIsoDay, formatParameterCount, formatRelativeTime } from "#/lib/format.ts";
import { lazyComponent } from "#/lib/lazy-component.ts";
import { CallAccess } from "../call-access.tsx";
import styles from "../catalogue.module.css";

// Few models are gated.
const GatedAccess = lazyComponent(async () => (await import("./gated-access.tsx")).GatedAccess);

// Most models chat.
const OtherCallSnippets = lazyComponent(
  async () => (await import("#/entities/models/other-call-snippets.tsx")).OtherCallSnippets,
);

/** Code samples, whether the user may call the model, and its properties. */
export function ModelFacts({ model, signedIn }: { model: Model; signedIn: boolean }) {
  const call = findModelCall(model);
  return (
    <>
      {call === "chat" ? (
        <CallSnippets model={model.id} />
      ) : (
        <Suspense fallback={<Skeleton height={240} />}>
          <OtherCallSnippets model={model.id} call={call} />
        </Suspense>
      )}
      <div>
        <h2 className="h4 mb-2">{t`Can you call it?`}</h2>
        <CallAccess model={model} signedIn={signedIn} />
        {model.is_gated ? (
          <Suspense fallback={<Skeleton height={120} />}>
            <GatedAccess model={model} />
          </Suspense>
        ) : null}
      </div>
      <dl className="facts">
        {listFacts(model).map(([name, value]) => (
          <div key={name} className={styles.pair}>
            <dt>{name}</dt>
            <dd className="num">{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** The prices that are not for tokens, where there are any. */
function listOtherPrices({ image, audio_second, character, request }: Pricing): [string, string][] {
  const prices: [string, string, string][] = [
    [t`Metered, each picture`, image, formatUsd(image)],
    [t`Metered, each second of sound`, audio_second, formatUsd(audio_second)],
    [t`Metered, read aloud`, character, t`${formatPricePerMillion(character)} / 1M characters`],
    [t`Metered, each request`, request, formatUsd(request)],
  ];
  return prices.flatMap(([term, price, shown]) => (Number(price) > 0 ? [[term, shown]] : []));
}

function listFacts(model: Model): [string, ReactNode][] {
  const { pricing, active_parameters: active, max_completion_tokens: answer, released_date: released } = model;
  const fit = model.fit;
  const activeSize = formatParameterCount(active);
  return [
    [t`Parameters`, formatParameterCount(model.parameter_size) + (active ? t`, ${activeSize} active` : "")],
    ...(fit ? [[t`On this machine`, formatFit(fit)] satisfies [string, ReactNode]] : []),
    [t`Context`, formatTokens(model.context_length)],
    ...(answer ? [[t`Longest answer`, formatTokens(answer)] satisfies [string, ReactNode]] : []),
    [
      t`One request holds`,
      <span key="units" className={`whitespace-nowrap ${styles.withBarbs}`}>
        <Barbs active={model.concurrency_cost} total={4} label="" />{" "}
        {plural(model.concurrency_cost, { one: "# unit", other: "# units" })}
      </span>,
    ],
    ...(pricing
      ? [
          [t`Metered, read`, `${formatPricePerMillion(pricing.prompt)} / 1M`] satisfies [string, ReactNode],
          [t`Metered, written`, `${formatPricePerMillion(pricing.completion)} / 1M`] satisfies [string, ReactNode],
          ...listOtherPrices(pricing),
        ]
      : []),
    [
      t`Licence`,
      model.license ? (
        <Link key="licence" className="link" to={paths.models({ license: model.license })}>
          {model.license}
        </Link>
      ) : (
        t`unknown`
      ),
    ],
    [
      t`Released`,
      released ? (
        <Link key="released" className="link" to={paths.release(formatIsoDay(released))}>
          {formatIsoDay(released)}
        </Link>
      ) : (
        t`unknown`
      ),
    ],
    [t`Architecture`, model.architecture ? <Mono key="architecture">{model.architecture}</Mono> : t`unknown`],
    [t`Based on`, model.base_model ? <Mono key="base">{model.base_model}</Mono> : "–"],
    [t`Class`, <Mono key="class">{model.model_class}</Mono>],
    [t`State checked`, formatRelativeTime(model.availability.checked_at)],
  ];
}

function formatTokens(number: number | null): string {
  if (number === null) return t`unknown`;
  const formatted = formatCount(number);
  return t`${formatted} tokens`;
}

function Mono({ children }: { children: string }) {
  return <span className="mono">{children}</span>;
}
