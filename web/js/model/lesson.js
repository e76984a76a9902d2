/**
 * A lesson: scenarios in the order of a plan, each a question that is asked before its run and answered by it.
 *
 * @typedef {import('../types.js').Text} Text
 * @typedef {{id: string, text: Text}} Choice
 * @typedef {{step: number, minute: number, short?: boolean}} Place
 * @typedef {object} Scenario  as GET lab/scenarios tells it
 * @property {string} name
 * @property {string} chapter
 * @property {Record<string, Place>} plan
 * @property {'run'|'step'|'strip'|'matrix'|'question'} kind
 * @property {Text} title
 * @property {Text} goal
 * @property {Text} question
 * @property {Choice[]} choices
 * @property {string} answer        id of a choice
 * @property {string} likely_wrong  id of a choice
 * @property {Text} say             to who chose that one
 * @property {Text} see
 * @property {Text} why
 * @property {string} source
 * @property {Array<{label: Text, spec: {strategy: string, faults: any[]}, expect: Record<string, string|number>}>} runs
 * @property {{strategy: string, faults: string[]}} [cells]
 *
 * @typedef {{plans: Array<{id: string, steps: string[]}>, chapters: Array<{id: string, title: Text}>, scenarios: Scenario[]}} Lessons
 * @typedef {{run: number, name: string, got: string|number, expected: string|number, ok: boolean}} Check
 * @typedef {{id: string, scenario: string, state: string, at: string, runs: string[], checks: Check[], ok: boolean, error?: string}} Report
 */

/** The plan that is taught. Its id is its length in minutes. */
export const plan = '45';

/** @param {Lessons} lessons @param {string} [id] */
const lengthOf = (lessons, id = plan) => Number(lessons.plans.find((p) => p.id === id)?.id ?? 0);

/** @param {Lessons|null} lessons @param {string} name @returns {Scenario|null} */
export const named = (lessons, name) => lessons?.scenarios.find((s) => s.name === name) ?? null;

/** The scenarios of a plan in their order. @param {Lessons|null} lessons @param {string} [id] @returns {Scenario[]} */
export function stepsOf(lessons, id = plan) {
  const names = lessons?.plans.find((p) => p.id === id)?.steps ?? [];
  return names.map((name) => named(lessons, name)).filter((s) => s !== null);
}

/** The step before or after; null at the ends. @param {Lessons|null} lessons @param {string} name @param {1|-1} by */
export function neighbour(lessons, name, by) {
  const steps = stepsOf(lessons);
  const at = steps.findIndex((s) => s.name === name);
  return at < 0 ? null : steps[at + by] ?? null;
}

/** Minutes that the plan gives to a step: until the next begins, or the lesson ends. @param {Lessons} lessons @param {string} name */
export function minutesFor(lessons, name) {
  const begins = named(lessons, name)?.plan[plan]?.minute;
  if (begins === undefined) return 0;
  return (neighbour(lessons, name, 1)?.plan[plan].minute ?? lengthOf(lessons)) - begins;
}

/** Chapters in the order of the plan, with what is in them. One that nobody described is called by its id. @param {Lessons|null} lessons */
export function chaptersOf(lessons) {
  if (!lessons) return [];
  const place = new Map(stepsOf(lessons).map((s, i) => [s.name, i]));
  const ordered = [...lessons.scenarios].sort((a, b) => (place.get(a.name) ?? 999) - (place.get(b.name) ?? 999));
  /** @type {Map<string, Scenario[]>} */
  const chapters = new Map();
  for (const scenario of ordered) chapters.set(scenario.chapter, [...chapters.get(scenario.chapter) ?? [], scenario]);
  return [...chapters].map(([id, scenarios]) => ({
    id, scenarios, title: lessons.chapters?.find((c) => c.id === id)?.title ?? { en: id, tr: id },
  }));
}

/** The letter of a choice, as its key shows it. @param {number} i */
export const letterOf = (i) => String.fromCharCode(65 + i);

/** What to say about a choice. @param {Scenario} scenario @param {string} choice @returns {'right'|'likely'|'wrong'|''} */
export function judge(scenario, choice) {
  if (!choice || !scenario.answer) return '';
  if (choice === scenario.answer) return 'right';
  return choice === scenario.likely_wrong ? 'likely' : 'wrong';
}

/** Whether anything runs. @param {Scenario} scenario */
export const runs = (scenario) => scenario.runs.length > 0 || Boolean(scenario.cells);

/** Whether its runs are told as diagrams: cells of the matrix are told as a list. @param {Scenario} scenario */
export const watched = (scenario) => scenario.runs.length > 0;

/** @param {unknown} data @returns {Lessons|null} */
export function lessonsOf(data) {
  const { plans, scenarios, chapters } = /** @type {any} */ (data ?? {});
  return Array.isArray(plans) && Array.isArray(scenarios) ? { plans, scenarios, chapters: chapters ?? [] } : null;
}
