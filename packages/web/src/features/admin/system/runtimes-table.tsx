import type { ModelRuntime } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { type Column, ListTable } from "#/components/list/list-table.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import styles from "../admin.module.css";
import { modelHostQuery } from "./queries.ts";

const COLUMNS: Column<ModelRuntime>[] = [
  {
    header: t`Program`,
    cell: ({ name }) => (
      <>
        <div className="strong">{runtimeLabel(name)}</div>
        <div className="small muted">{formatLabel(name)}</div>
      </>
    ),
  },
  {
    header: t`Runs models`,
    cell: (runtime) => (
      <span className="small">
        <RuntimeState runtime={runtime} />
        <div className={`muted ${styles.cellNote} user-text`}>
          {runtime.graphics_cards.join(", ") || runtime.reason}
        </div>
      </span>
    ),
  },
];

/** The programs that run models on this machine: whether each can be used, with which graphics cards, and why not. */
export function RuntimesTable() {
  const { data, error, refetch } = useQuery(modelHostQuery);
  return (
    <section aria-label={t`Programs that run models`} className="measure mb-4">
      {data ? (
        <ListTable
          caption={t`Programs that run models`}
          columns={COLUMNS}
          items={data.runtimes}
          idOf={({ name }) => name}
        />
      ) : error ? (
        <LoadError subject={t`What runs models`} error={error} retry={() => void refetch()} />
      ) : (
        <Skeleton height={160} />
      )}
    </section>
  );
}

function RuntimeState({ runtime: { is_available, gpu } }: { runtime: ModelRuntime }) {
  if (!is_available) return <StateBadge tier="offline">{t`not here`}</StateBadge>;
  return gpu === null ? (
    <StateBadge tier="warm">{t`on the processor`}</StateBadge>
  ) : (
    <StateBadge tier="good">{t`on the graphics card (${gpuLabel(gpu)})`}</StateBadge>
  );
}

function runtimeLabel(name: ModelRuntime["name"]): string {
  return { "llama.cpp": "llama.cpp", "llama-server": "llama-server", vllm: "vLLM", sglang: "SGLang" }[name];
}

function formatLabel(name: ModelRuntime["name"]): string {
  return {
    "llama.cpp": t`for GGUF files`,
    "llama-server": t`for GGUF files that read images, rank texts or are new`,
    vllm: t`for safetensors files`,
    sglang: t`for safetensors files`,
  }[name];
}

function gpuLabel(gpu: NonNullable<ModelRuntime["gpu"]>): string {
  return { cuda: "CUDA", vulkan: "Vulkan", metal: "Metal" }[gpu];
}
