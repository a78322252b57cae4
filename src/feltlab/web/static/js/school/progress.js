// @ts-check
// What a visitor has learnt in the drills of a game, stored in the browser. The server decides which question comes next
// and which level it has; the browser holds that record for it, and counts what it shows.

import { readSetting, saveSetting } from "../shared/settings.js";

const PACE_ANSWERS = 20; // of the mean time

export class Progress {
  /** @param {string} game */
  constructor(game) {
    this.name = `school-${game}`;
    /** @type {{practice: any, count: number, right: number, cost: number, streak: number, seconds: number[]}} */
    this.stored = { practice: null, count: 0, right: 0, cost: 0, streak: 0, seconds: [], ...readSetting(this.name, {}) };
  }

  /** @param {{right: boolean, cost: number}} verdict @param {any} practice the record after the answer @param {number} seconds */
  record(verdict, practice, seconds) {
    const { stored } = this;
    stored.practice = practice;
    stored.count += 1;
    stored.right += Number(verdict.right);
    stored.cost += verdict.cost;
    stored.streak = verdict.right ? stored.streak + 1 : 0;
    stored.seconds = [...stored.seconds, Math.round(10 * seconds) / 10].slice(-PACE_ANSWERS);
    saveSetting(this.name, stored);
  }

  /** The number of missed questions in each box. @param {number} boxes */
  countBoxes(boxes) {
    const missed = this.stored.practice?.missed ?? [];
    return Array.from({ length: boxes }, (_, box) => missed.filter((/** @type {{box: number}} */ one) => one.box === box).length);
  }

  /** The mean time of the last answers. */
  pace() {
    const { seconds } = this.stored;
    return seconds.length ? (seconds.reduce((sum, one) => sum + one, 0) / seconds.length).toFixed(1) : "–";
  }

  /** In one line, for the list of all games. */
  describe() {
    const { count, right } = this.stored;
    return count ? `${count} answers, ${Math.round((100 * right) / count)} % right` : "Not started";
  }
}
