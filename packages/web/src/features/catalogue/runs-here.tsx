import { useQuery } from "@tanstack/react-query";
import { type Model, ratesQuery } from "./queries.ts";

/** Speed and errors of the model's class in the last hour, from real requests. */
export function RunsHere({ model }: { model: Model }) {
  const { data } = useQuery(ratesQuery);
  const row = data?.items.find((item) => item.model_class === model.model_class);
  return (
    <section className="mt-8">
      <h2 className="h4 mb-3">How it runs here</h2>
      {row ? (
        <div className="kpis">
          <Figure
            value={row.p50_ttft_ms === null ? "unknown" : `${row.p50_ttft_ms} ms`}
            label="to the first token, median"
          />
          <Figure
            value={row.tokens_per_s === null ? "unknown" : String(Math.round(row.tokens_per_s))}
            label="tokens per second"
          />
          <Figure value={`${((1 - row.error_rate) * 100).toFixed(1)} %`} label="answered without error" />
        </div>
      ) : (
        <p className="mid">Nobody has called it here in the last hour, so there are no figures.</p>
      )}
    </section>
  );
}

function Figure({ value, label }: { value: string; label: string }) {
  return (
    <div>
      <p className="v">{value}</p>
      <p className="small dim">{label}</p>
    </div>
  );
}
