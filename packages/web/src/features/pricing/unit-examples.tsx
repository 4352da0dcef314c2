import { Barbs } from "#/components/ui/bits.tsx";

const EXAMPLES = [
  [1, "A model up to 15B", "A chat, a classifier, a summary"],
  [2, "A model up to 34B", "Code, longer texts, tools"],
  [4, "A larger model", "Reasoning, agents, the hardest questions"],
] as const;

/** What a unit is, by what holds how many. */
export function UnitExamples() {
  return (
    <table className="unit-examples">
      <thead>
        <tr>
          <th scope="col">One request to</th>
          <th scope="col">holds, while it runs</th>
          <th scope="col" className="w">
            Good for
          </th>
        </tr>
      </thead>
      <tbody>
        {EXAMPLES.map(([units, model, use]) => (
          <tr key={units}>
            <td>{model}</td>
            <td>
              <span className="row" style={{ gap: 8 }}>
                <Barbs on={units} of={4} label="" />
                {units === 1 ? "1 unit" : `${units} units`}
              </span>
            </td>
            <td className="w mid">{use}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
