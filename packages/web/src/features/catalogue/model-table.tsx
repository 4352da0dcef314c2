import { Link } from "react-router-dom";
import { Barbs, ModelId, Skeleton, State } from "#/components/ui/bits.tsx";
import { paths } from "#/config/paths.ts";
import { context, size } from "#/lib/format.ts";
import type { Model } from "./queries.ts";

/** Models in rows. On small screens the columns that decide stay: name, size and state. */
export function ModelTable({ models, detailed = true }: { models: readonly Model[] | undefined; detailed?: boolean }) {
  return (
    <table>
      <thead>
        <tr>
          <th>Model</th>
          <th className="n">Size</th>
          <th className="n w">Context</th>
          <th className="w">Units</th>
          {detailed ? <th className="w">Licence</th> : null}
          {detailed ? <th className="n w">Rating</th> : null}
          {detailed ? <th className="w">Released</th> : null}
          <th>State</th>
        </tr>
      </thead>
      <tbody>
        {models ? (
          models.map((model) => <Row key={model.id} model={model} detailed={detailed} />)
        ) : (
          <Waiting columns={detailed ? 8 : 5} />
        )}
      </tbody>
    </table>
  );
}

function Row({ model, detailed }: { model: Model; detailed: boolean }) {
  return (
    <tr>
      <td>
        <Link to={paths.model(model.id)}>
          <ModelId id={model.id} />
        </Link>
        {detailed ? <div className="small dim">{model.description}</div> : null}
      </td>
      <td className="n">
        {size(model.parameter_size)}
        {model.active_parameters ? <div className="tiny dim">{size(model.active_parameters)} active</div> : null}
      </td>
      <td className="n w">{context(model.context_length)}</td>
      <td className="w">
        <Barbs on={model.concurrency_cost} of={4} label={`${model.concurrency_cost} of 4 units`} />
      </td>
      {detailed ? <td className="w small mid">{model.license ?? "unknown"}</td> : null}
      {detailed ? <td className="n w">{model.avg_rating === null ? "–" : model.avg_rating.toFixed(1)}</td> : null}
      {detailed ? (
        <td className="w small mid num whitespace-nowrap">
          {model.released_date ? model.released_date.toISOString().slice(0, 10) : "unknown"}
        </td>
      ) : null}
      <td className="small">
        <State tier={model.availability.tier} />
      </td>
    </tr>
  );
}

function Waiting({ columns }: { columns: number }) {
  return Array.from({ length: 8 }, (_, row) => row).map((row) => (
    <tr key={row}>
      <td colSpan={columns} style={{ height: 62 }}>
        <Skeleton width={`${70 - ((row * 13) % 40)}%`} />
      </td>
    </tr>
  ));
}
