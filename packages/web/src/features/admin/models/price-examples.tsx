import { t } from "@lingui/core/macro";
import { formatNanoUsd } from "#/entities/money/money.ts";
import { formatCount } from "#/lib/format.ts";
import styles from "./price-examples.module.css";
import { calculateCost, type Rates, TYPICAL_REQUESTS } from "./price-math.ts";

/** Compares the cost of typical requests at the current and the new price. */
export function PriceExamples({ current, next }: { current: Rates | null; next: Rates | null }) {
  return (
    <table>
      <caption className={`label ${styles.caption}`}>{t`What a request costs`}</caption>
      <thead>
        <tr>
          <th>{t`Request`}</th>
          <th className="numeric wide-only">{t`Tokens in`}</th>
          <th className="numeric wide-only">{t`Tokens out`}</th>
          <th className="numeric">{t`Now`}</th>
          <th className="numeric">{t`Then`}</th>
        </tr>
      </thead>
      <tbody>
        {TYPICAL_REQUESTS.map((request) => (
          <tr key={request.name}>
            <td>{request.name}</td>
            <td className="numeric wide-only">{formatCount(request.input)}</td>
            <td className="numeric wide-only">{formatCount(request.output)}</td>
            <td className="numeric">{current ? formatNanoUsd(calculateCost(current, request)) : "–"}</td>
            <td className="numeric">{next ? formatNanoUsd(calculateCost(next, request)) : "–"}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
