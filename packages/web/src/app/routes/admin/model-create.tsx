import { t } from "@lingui/core/macro";
import { useSearchParams } from "react-router-dom";
import { CodeTabs } from "#/components/ui/code.tsx";
import { ImportForm } from "#/features/admin/models/import-form.tsx";
import { OwnModelForm } from "#/features/admin/models/own-model-form.tsx";
import { PageHead } from "#/features/admin/page-head.tsx";
import { adminPaths } from "#/features/admin/paths.ts";
import { Tabs } from "#/features/admin/tabs.tsx";

const TABS = [
  { value: "", label: t`From the hub` },
  { value: "own", label: t`By hand` },
];

/** Adds models to the catalogue: imported from the hub, or entered by hand (`?way=own`). */
export default function AdminCreateModelPage() {
  const [params] = useSearchParams();
  const own = params.get("way") === "own";
  return (
    <>
      <PageHead
        title={t`Create model`}
        about={t`Read models from the hub with all their facts, or enter one that only you know.`}
        up={{ label: t`Models`, to: adminPaths.models }}
      />
      <Tabs label={t`Way to create a model`} name="way" tabs={TABS} />
      <div className="mt-6">
        {own ? (
          <OwnModelForm />
        ) : (
          <ImportForm initial={(params.get("ids") ?? "").split(",").filter(Boolean).join("\n")} />
        )}
      </div>
      {own ? null : (
        <div className="mt-8 admin-form">
          <CodeTabs
            samples={[
              {
                name: "curl",
                code: `curl ${location.origin}/api/admin/models/import \\\n  -H "authorization: Bearer $FEATHER_API_KEY" \\\n  -H "content-type: application/json" \\\n  -d '{"ids": ["Qwen/Qwen3-8B"]}'`,
              },
              {
                name: "TypeScript",
                code: `await feather.admin.models.import({ ids: ["Qwen/Qwen3-8B"] });`,
              },
            ]}
          />
        </div>
      )}
    </>
  );
}
