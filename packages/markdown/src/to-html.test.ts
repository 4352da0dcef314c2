import { expect, test } from "vitest";
import { compileMarkdown } from "./compile.ts";
import { toHtml } from "./to-html.ts";

test.each([
  ["## A & b", '<h2 id="a-b">A &amp; b</h2>'],
  ["a `<b>` [c](/d)", '<p>a <code>&lt;b&gt;</code> <a href="/d">c</a></p>'],
  ["a  \nb", "<p>a<br>b</p>"],
  ["<script>alert(1)</script>", ""],
  ['[x](https://a.example "q\\"<u>")', '<p><a href="https://a.example" title="q&quot;&lt;u&gt;">x</a></p>'],
])("converts %j to %s", (source, html) => {
  expect(toHtml(compileMarkdown(source).body)).toBe(html);
});

test("code without highlighting is complete", () => {
  const source = '```bash tab="curl"\necho "<a>" # b\n```\n\n```python tab="Python"\nprint("a")\n```';
  expect(toHtml(compileMarkdown(source).body)).toBe(
    "<pre><code>echo &quot;&lt;a&gt;&quot; # b</code></pre><pre><code>print(&quot;a&quot;)</code></pre>",
  );
});
