import type { ModelDetail } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { formatLocation, type Place } from "#/entities/models/hosted.ts";
import { formatPlaceName } from "#/entities/models/place-names.ts";
import { formatPricePerMillion, formatUsd } from "#/entities/money/money.ts";
import { formatContextLength, formatList } from "#/lib/format.ts";
import catalogueStyles from "../catalogue.module.css";
import styles from "./places.module.css";

/** The places where a model answers, with what each says of it. Nothing for a model that nothing runs. */
export function Places({ places }: Pick<ModelDetail, "places">) {
  if (places.length === 0) return null;
  const hasPrices = places.some(({ price }) => price !== null);
  return (
    <section className={catalogueStyles.modelSection}>
      <h2 className="h4">{t`Where it answers`}</h2>
      <table className={`${styles.places} mt-3`}>
        <thead>
          <tr>
            <th scope="col">{t`Place`}</th>
            {hasPrices ? <th scope="col">{t`Its price for a million tokens`}</th> : null}
            <th scope="col" className="numeric wide-only">{t`Context`}</th>
            <th scope="col">{t`State`}</th>
          </tr>
        </thead>
        <tbody>
          {places.map((place, index) => (
            // Places have no id, and two may be alike in everything that people see.
            // biome-ignore lint/suspicious/noArrayIndexKey: rows hold no state
            <PlaceRow key={index} place={place} hasPrices={hasPrices} />
          ))}
        </tbody>
      </table>
      {hasPrices ? (
        <p className="small faint mt-2">
          {t`The price is what a place states for whoever has its key. What you pay here depends on your plan.`}
        </p>
      ) : null}
    </section>
  );
}

function PlaceRow({ place, hasPrices }: { place: Place; hasPrices: boolean }) {
  const { hosted, price, context_length: context, state, backend } = place;
  const facts = listFacts(place);
  return (
    <tr>
      <th scope="row">
        {formatPlaceName(place)}
        {backend === undefined ? null : <span className="mono small faint"> {backend}</span>}
        <div className="small muted">{[hosted === "here" ? t`here` : t`elsewhere`, ...listOf(place)].join(", ")}</div>
        {facts.length > 0 ? <div className="small faint">{formatList(facts)}</div> : null}
      </th>
      {hasPrices ? <td className="num small">{price === null ? <NotStated /> : <Price price={price} />}</td> : null}
      <td className="numeric wide-only">{context === null ? <NotStated /> : formatContextLength(context)}</td>
      <td>
        <StateBadge tier={state} />
      </td>
    </tr>
  );
}

function Price({ price }: { price: NonNullable<Place["price"]> }) {
  const { prompt, completion, cached_prompt: cached, image, audio_second: second, character } = price;
  return (
    <>
      <div>{t`${formatPricePerMillion(prompt)} read`}</div>
      {cached === null ? null : <div>{t`${formatPricePerMillion(cached)} read from a cache`}</div>}
      <div>{t`${formatPricePerMillion(completion)} written`}</div>
      {image === undefined ? null : <div>{t`${formatUsd(image)} each picture`}</div>}
      {second === undefined ? null : <div>{t`${formatUsd(second)} each second of sound`}</div>}
      {character === undefined ? null : <div>{t`${formatPricePerMillion(character)} / 1M characters`}</div>}
    </>
  );
}

function NotStated() {
  return <span className="faint">{t`not stated`}</span>;
}

const listOf = (place: Place): string[] => {
  const location = formatLocation(place);
  return location === null ? [] : [location];
};

/** Returns the abilities and the format of the weights that a place states. */
function listFacts({ abilities, quantization }: Place): string[] {
  return [
    ...(abilities.tools ? [t`tools`] : []),
    ...(abilities.images ? [t`images`] : []),
    ...(abilities.structured_output ? [t`JSON schemas`] : []),
    ...(abilities.reasoning ? [t`reasoning`] : []),
    ...(quantization === null ? [] : [t`weights as ${quantization}`]),
  ];
}
