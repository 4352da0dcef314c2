import { describe, expect, test } from "vitest";
import { createSchemaObject, renderStructuredData } from "./structured-data.ts";

const URL = "https://feather.example";
const IMAGE = `${URL}/share.png`;

describe("structured data", () => {
  test("structured data contains the page and its breadcrumbs", () => {
    const breadcrumbs = [
      { name: "Models", path: "/models" },
      { name: "a/b c", path: "/models/a/b c" },
    ];
    const text = renderStructuredData(
      { schemaObject: createSchemaObject("SoftwareApplication", "a/b c", "/models/a/b c"), breadcrumbs, image: IMAGE },
      URL,
    );
    expect(JSON.parse(text ?? "")).toEqual({
      "@context": "https://schema.org",
      "@graph": [
        { "@type": "SoftwareApplication", name: "a/b c", url: `${URL}/models/a/b%20c`, image: IMAGE },
        {
          "@type": "BreadcrumbList",
          itemListElement: [
            { "@type": "ListItem", position: 1, name: "Models", item: `${URL}/models` },
            { "@type": "ListItem", position: 2, name: "a/b c", item: `${URL}/models/a/b%20c` },
          ],
        },
      ],
    });
  });

  test("structured data is null if there is nothing to describe", () => {
    expect(
      renderStructuredData({ schemaObject: null, breadcrumbs: [{ name: "Home", path: "/" }], image: IMAGE }, URL),
    ).toBeNull();
  });

  test("structured data cannot close its script element", () => {
    const text = renderStructuredData(
      {
        schemaObject: createSchemaObject("BlogPosting", "</script><img src=x>", "/blog/x"),
        breadcrumbs: [],
        image: IMAGE,
      },
      URL,
    );
    expect(text).not.toContain("<");
    expect(JSON.parse(text ?? "")["@graph"][0].name).toBe("</script><img src=x>");
  });
});
