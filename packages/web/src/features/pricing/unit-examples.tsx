import { plural, t } from "@lingui/core/macro";
import { Barbs } from "#/components/ui/labels/barbs.tsx";

const EXAMPLES = [
  [1, t`A model up to 15B`, t`A chat, a classifier, a summary`],
  [2, t`A model up to 34B`, t`Code, longer texts, tools`],
  [4, t`A larger model`, t`Reasoning, agents, the hardest questions`],
] as const;

/** Explains units by examples of models and the units that they hold. */
export function UnitExamples() {
  return (
    <table className="unit-examples">
      <thead>
        <tr>
          <th scope="col">{t`One request to`}</th>
          <th scope="col">{t`holds, while it runs`}</th>
          <th scope="col" className="wide-only">
            {t`Good for`}
          </th>
        </tr>
      </thead>
      <tbody>
        {EXAMPLES.map(([units, model, use]) => (
          <tr key={units}>
            <td>{model}</td>
            <td>
              <span className="row tight">
                <Barbs active={units} total={4} label="" />
                {plural(units, { one: "# unit", other: "# units" })}
              </span>
            </td>
            <td className="wide-only muted">{use}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
