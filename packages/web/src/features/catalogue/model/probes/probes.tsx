import { t } from "@lingui/core/macro";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { formatPlaceName } from "#/entities/models/place-names.ts";
import { formatProbeResult, type Probe, probeLabel, probeTier } from "#/entities/models/probes/probe-labels.ts";
import { formatCount, formatRelativeTime } from "#/lib/format.ts";
import catalogueStyles from "../../catalogue.module.css";
import capabilitiesStyles from "../capabilities.module.css";
import styles from "./probes.module.css";

/** What a model did when the server asked it, by place. Nothing for a model that was never asked. */
export function Probes({ probes }: { probes: readonly Probe[] }) {
  if (probes.length === 0) return null;
  const places = Map.groupBy(probes, (probe) => `${formatPlaceName(probe)}\n${probe.backend ?? ""}`);
  return (
    <section className={catalogueStyles.modelSection}>
      <h2 className="h4">{t`What it has shown`}</h2>
      <p className="small faint mt-2">{t`This server asks the model once a day, when nobody else calls it there.`}</p>
      {[...places].map(([place, ofPlace]) => (
        <PlaceTable key={place} probes={ofPlace} />
      ))}
    </section>
  );
}

function PlaceTable({ probes }: { probes: readonly Probe[] }) {
  const [first] = probes;
  if (first === undefined) return null;
  const latest = new Date(Math.max(...probes.map(({ checked_at }) => checked_at.getTime())));
  const name = formatPlaceName(first);
  return (
    <table className="mt-3">
      <caption className={`${styles.place} small muted`}>
        {name}
        {first.backend === undefined ? null : <span className="mono faint"> {first.backend}</span>}
        {", "}
        <time dateTime={latest.toISOString()} title={latest.toISOString()}>
          {formatRelativeTime(latest)}
        </time>
      </caption>
      <tbody>
        {probes.map((probe) => (
          <tr key={probe.ability}>
            <th scope="row">
              {probeLabel(probe.ability)}
              {describe(probe) === null ? null : <div className="small faint">{describe(probe)}</div>}
            </th>
            <td className={capabilitiesStyles.ability}>
              <StateBadge tier={probeTier(probe)}>{formatProbeResult(probe)}</StateBadge>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Returns why not, or for the speed the time to the first token; null where there is no more to say. */
function describe({ ability, reason, first_token_ms: firstTokenMs }: Probe): string | null {
  if (reason !== null) return reason;
  return ability === "speed" && firstTokenMs !== null ? t`first token after ${formatCount(firstTokenMs)} ms` : null;
}
