// MiniSearch on the same sections and questions: node minisearch_peer.mjs <folder of node_modules>, JSON in and out.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const require = createRequire(`${process.argv[2]}/`);
const loaded = require("minisearch");
const MiniSearch = loaded.default ?? loaded;
const { sections, questions } = JSON.parse(readFileSync(0, "utf8"));

const index = new MiniSearch({ fields: ["heading", "title", "text"], idField: "place" });
index.addAll(sections.map((section, place) => ({ place, ...section })));
const options = { boost: { heading: 3, title: 2 }, fuzzy: 0.2, prefix: true };

const found = [];
const seconds = [];
for (const question of questions) {
  const started = process.hrtime.bigint();
  found.push(index.search(question, options).slice(0, 10).map((hit) => hit.id));
  seconds.push(Number(process.hrtime.bigint() - started) / 1e9);
}
process.stdout.write(JSON.stringify({ MiniSearch: { found, seconds } }));
