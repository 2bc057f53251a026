/*
 * browser.js - what the tests of pages share: a browser, checks, and pages that must need
 * nothing else and complain of nothing.
 */
'use strict';
const path = require('path');
const [, , modules, shots, folder] = process.argv;
const { chromium } = require(path.join(modules, 'node_modules', 'playwright-core'));

let failed = 0;
function check(what, ok, seen) {
	if (!ok && seen !== undefined)
		console.log('seen: ' + JSON.stringify(seen));
	console.log(`${ok ? 'ok' : 'not ok'} - ${what}`);
	failed += !ok;
}

/* NAME.html of the folder; what it complains of is in page.problems. */
async function open(browser, name, options, hash) {
	const context = await browser.newContext(options);
	const page = await context.newPage();
	page.problems = [];
	page.on('console', (m) => { if (m.type() === 'error') page.problems.push(m.text()); });
	page.on('pageerror', (e) => page.problems.push(String(e)));
	page.on('dialog', (d) => { page.problems.push('dialog'); d.dismiss(); });
	page.on('request', (r) => { if (!/^file:.*\.html/.test(r.url())) page.problems.push('asks for ' + r.url()); });
	await page.goto('file://' + path.join(folder, name + '.html') + (hash || ''));
	return page;
}

const overflows = (page) => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);

/* Is the page dark?  The sums of the colours of background and text. */
const colours = (page) => page.evaluate(() => {
	const s = getComputedStyle(document.body);
	return [s.backgroundColor, s.color].map((c) => c.match(/\d+/g).slice(0, 3).reduce((a, b) => a + Number(b), 0));
});
const isDark = (c) => c[0] < 150 && c[1] > 500;

/* Runs the tests, each with the browser, and ends. */
function run(...tests) {
	(async () => {
		const browser = await chromium.launch({
			executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox'],
		});

		try {
			for (const test of tests)
				await test(browser);
		} finally {
			await browser.close();
		}
		process.exit(failed ? 1 : 0);
	})().catch((e) => { console.log(e.stack); console.log('not ok - the browser'); process.exit(1); });
}

module.exports = { check, open, overflows, colours, isDark, run, shots, folder };
