import { expect, test } from "vitest";
import { z } from "zod";
import { parseExactJson } from "../exact-numbers.ts";
import { createRenderer, RENDER_LIMIT, SlowTemplateError } from "./template-renderer.ts";

const render = (template: string, variables: string) =>
  createRenderer(template, RENDER_LIMIT)().render(z.record(z.string(), z.unknown()).parse(parseExactJson(variables)));

// The expected texts are what Jinja2 3.1.6 prints with the settings of transformers.
test.each([
  [
    "prints null, true and a missing value as Python does",
    "[{{ none }}|{{ true }}|{{ missing }}]",
    "{}",
    "[None|True|]",
  ],
  [
    "prints a float that is a whole number with its decimal",
    "{% for k, v in args.items() %}{{ k }}={{ v }};{% endfor %}{{ args | tojson }}",
    '{"args": {"scale": 1.0, "small": 1e-5, "big": 1E16, "half": 0.5, "n": 3}}',
    'scale=1.0;small=1e-05;big=1e+16;half=0.5;n=3;{"scale": 1.0, "small": 1e-05, "big": 1e+16, "half": 0.5, "n": 3}',
  ],
  [
    "keeps the digits of integers beyond 2^53",
    "{{ n }} {{ [n] | tojson }}",
    '{"n": 12345678901234567890}',
    "12345678901234567890 [12345678901234567890]",
  ],
  [
    "writes null and objects through string as Python's str",
    "{{ v.a | string }} {{ v | string }} {{ v.list | string }}",
    '{"v": {"a": null, "text": "it\'s", "list": [1, "two", false]}}',
    "None {'a': None, 'text': \"it's\", 'list': [1, 'two', False]} [1, 'two', False]",
  ],
  ["joins null, numbers and texts with ~", "{{ none ~ 1.0 ~ true ~ 'x' ~ missing }}", "{}", "None1.0Truex"],
  [
    "goes through a missing list without an iteration",
    "{% for m in missing %}x{% else %}none{% endfor %}",
    "{}",
    "none",
  ],
  ["goes through the characters of a text", "{% for c in 'abc' %}[{{ c }}]{% endfor %}", "{}", "[a][b][c]"],
  [
    "takes the length, the trimmed text and the chosen items of a missing value",
    "{{ m | length }}[{{ m | trim }}]{{ m | selectattr('a') | list }}{{ m | join(',') }}{{ m | list }}",
    "{}",
    "0[][][]",
  ],
  [
    "chooses no items of null",
    "{{ tools | selectattr('a') | list | length }}{{ tools | map('upper') | list }}",
    '{"tools": null}',
    "0[]",
  ],
  [
    "reads keys of objects that are integers",
    "{% set budget = {0: 'none', 512: 'low'} %}{{ budget[512] }}{{ budget.get(0) }}{{ budget.get(1, 'x') }}{% for k in budget %},{{ k + 1 }}{% endfor %}{{ budget }}",
    "{}",
    "lownonex,1,513{0: 'none', 512: 'low'}",
  ],
  [
    "takes the method, not the entry, for object.items",
    "{% for k, v in schema.items() %}{{ k }};{% endfor %}{{ schema['items']['type'] }}",
    '{"schema": {"type": "array", "items": {"type": "string"}}}',
    "type;items;string",
  ],
  [
    "reads an entry with a missing key as missing",
    "{{ types[x.type] is defined }}",
    '{"types": {"string": "str"}, "x": {}}',
    "False",
  ],
  ["finds the least and the greatest item", "{{ [3, 1, 2] | min }}{{ [3, 1, 2] | max }}", "{}", "13"],
  [
    "keeps what an iteration prints before break and continue",
    "{% for i in [1, 2, 3, 4] %}{{ i }}{% if i == 2 %}!{% continue %}{% endif %}{% if i == 3 %}.{% break %}{% endif %},{% endfor %}",
    "{}",
    "1,2!3.",
  ],
  [
    "forgets in the next iteration what one has set",
    "{% for i in [1, 2] %}{{ seen is defined }}{% set seen = true %}{% endfor %}",
    "{}",
    "FalseFalse",
  ],
  [
    "unpacks pairs in a loop",
    "{% for key, name in [('a', 'A'), ('b', 'B')] %}{{ key }}{{ name }}{% endfor %}",
    "{}",
    "aAbB",
  ],
  [
    "takes tojson's keyword arguments",
    "{{ v | tojson(indent=2) }}{{ v | tojson(separators=(',', ':')) }}{{ v | tojson(ensure_ascii=true, sort_keys=true) }}",
    '{"v": {"é": 1.0, "a": [null, {}]}}',
    '{\n  "é": 1.0,\n  "a": [\n    null,\n    {}\n  ]\n}{"é":1.0,"a":[null,{}]}{"a": [null, {}], "\\u00e9": 1.0}',
  ],
  ["escapes no HTML in tojson", "{{ v | tojson }}", '{"v": "<b> & \'c\'"}', "\"<b> & 'c'\""],
  [
    "strips the given characters only",
    "[{{ '\n\n x\n'.lstrip('\n') }}][{{ 'xxaxx'.strip('x') }}][{{ 'a\n '.rstrip('\n') }}]",
    "{}",
    "[ x\n][a][a\n ]",
  ],
  ["fills the fields of a format", "{{ '<tool{}>{}{name}{{}}'.format(missing, 1.0, name='n') }}", "{}", "<tool>1.0n{}"],
  [
    "compares lists and objects by their values",
    "{{ {'a': [1, 1.0]} == {'a': [1.0, 1]} }}{{ none == missing }}{{ '1' == 1 }}{{ [1] in [[1], 2] }}{{ none in [none] }}",
    "{}",
    "TrueFalseFalseTrueTrue",
  ],
  [
    "chooses and rejects items with a test",
    "{{ ['a', 'null', 'b'] | reject('equalto', 'null') | join('|') }}{{ [0, 1, none] | select | list }}{{ ['a'] | map('upper') | first }}",
    "{}",
    "a|b[1]A",
  ],
  [
    "writes a tool call with a null argument in XML",
    "{% for name, value in call.arguments.items() %}<parameter={{ name }}>\n{{ value | tojson | safe if value is mapping or (value is sequence and value is not string) else value | string }}\n</parameter>\n{% endfor %}",
    '{"call": {"arguments": {"city": "Paris", "scale": 1.0, "now": true, "units": null, "days": [1, 2]}}}',
    "<parameter=city>\nParis\n</parameter>\n<parameter=scale>\n1.0\n</parameter>\n<parameter=now>\nTrue\n</parameter>\n<parameter=units>\nNone\n</parameter>\n<parameter=days>\n[1, 2]\n</parameter>\n",
  ],
  [
    "describes parameters with their defaults as types",
    "{% macro type(spec) %}{% set names = {'string': 'str', 'number': 'float'} %}{% if names[spec.type] is defined %}{{ names[spec.type] }}{% elif spec.type == 'array' %}{{ 'list[' + type(spec['items']) + ']' }}{% else %}Any{% endif %}{% endmacro %}{% for name, spec in p.properties.items() %}{{ name }}: {{ type(spec) }}{% if spec.default is defined %} = {{ spec.default }}{% endif %}\n{% endfor %}",
    '{"p": {"properties": {"city": {"type": "string"}, "scale": {"type": "number", "default": 1.0}, "days": {"type": "array", "items": {"type": "number"}}, "any": {}}}}',
    "city: strscale: float = 1.0days: list[float]any: Any",
  ],
  [
    "takes the pairs of a missing object as none",
    "{% for k, v in s.p | items %}{{ k }}{% endfor %}.",
    '{"s": {}}',
    ".",
  ],
])("%s", (_title, template, variables, expected) => {
  expect(render(template, variables)).toBe(expected);
});

test.each([
  ["a text and a number are added", "{{ 'a' + 1 }}"],
  ["a text and a missing value are added", "{{ 'a' + missing }}"],
  ["null is gone through", "{% for x in none %}{% endfor %}"],
  ["a missing value has an entry read", "{{ missing.name.first }}"],
  ["a template raises an exception", "{{ raise_exception('Roles must alternate.') }}"],
])("refuses as Python does: %s", (_title, template) => {
  expect(() => render(template, "{}")).toThrow();
});

const LOOP = "{% for i in range(1000) %}{{ i }}{% endfor %}";

test("ends a template that has used up the time for a prompt, and what is tried after it for the same prompt", () => {
  let time = 0;
  const beginPrompt = createRenderer(LOOP, { limitMs: 1000, now: () => (time += 100) });
  const prompt = beginPrompt();
  expect(() => prompt.render({})).toThrow(SlowTemplateError);
  const readings = time;
  expect(() => prompt.render({})).toThrow(SlowTemplateError);
  expect(time - readings).toBeLessThan(1000);
});

test("gives each prompt the whole time", () => {
  let time = 0;
  const beginPrompt = createRenderer("{{ name }}", { limitMs: 1000, now: () => (time += 600) });
  expect(beginPrompt().render({ name: "a" })).toBe("a");
  expect(beginPrompt().render({ name: "b" })).toBe("b");
});

test("counts the iterations of loops without a body as time", () => {
  let time = 0;
  const loop = "{% for i in range(1000) %}{% endfor %}";
  expect(() => createRenderer(loop, { limitMs: 1000, now: () => (time += 100) })().render({})).toThrow(
    SlowTemplateError,
  );
});

test("refuses ranges longer than those of Jinja's sandbox", () => {
  expect(() => render("{{ range(100001) | length }}", "{}")).toThrow(/Range too big/);
});
