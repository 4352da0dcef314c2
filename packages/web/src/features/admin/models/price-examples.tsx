import { t } from "@lingui/core/macro";
import { usd } from "#/features/billing/money.ts";
import { count } from "#/lib/format.ts";
import { costOf, type Rates, TYPICAL } from "./price-math.ts";

/** Compares the cost of typical requests at the current and the new price. */
export function PriceExamples({ before, after }: { before: Rates | null; after: Rates | null }) {
  return (
    <table>
      <caption className="label" style={{ textAlign: "start", paddingBottom: 4 }}>
        {t`What a request costs`}
      </caption>
      <thead>
        <tr>
          <th>{t`Request`}</th>
          <th className="n w">{t`Tokens in`}</th>
          <th className="n w">{t`Tokens out`}</th>
          <th className="n">{t`Now`}</th>
          <th className="n">{t`Then`}</th>
        </tr>
      </thead>
      <tbody>
        {TYPICAL.map((request) => (
          <tr key={request.name}>
            <td>{request.name}</td>
            <td className="n w">{count(request.input)}</td>
            <td className="n w">{count(request.output)}</td>
            <td className="n">{before ? usd(costOf(before, request)) : "–"}</td>
            <td className="n">{after ? usd(costOf(after, request)) : "–"}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
