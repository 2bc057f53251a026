/*
 * pages.js - the page of a run, in a real browser.
 *
 *	node pages.js MODULES SHOTS FOLDER
 *
 * FOLDER has some.html, none.html, hostile.html, many.html and untracked.html, made
 * from the run files of mkrun.c, and findings.html.  MODULES is the folder that has node_modules/.
 * Screenshots go to SHOTS, for people to look at.  One line for each check.
 */
'use strict';
const path = require('path');
const { check, open, overflows, colours, isDark, run, shots } = require('./browser.js');

const names = (page) => page.$$eval('.site:not([hidden]) .row .name b', (v) => v.map((e) => e.textContent));
const opened = (page) => page.$$eval('.site', (v) => v.filter((s) => s.querySelector('.detail:not([hidden])')).length);

async function tableWorks(browser) {
	const page = await open(browser, 'some', { viewport: { width: 1280, height: 1400 } });
	const all = await names(page);

	check('sites are listed by rank', all[0] === 'session_open()' && all[1] === 'load_mime_types()' && all.length === 5, all);
	check('the first one is open', await opened(page) === 1);
	check('its context shows the source', (await page.textContent('.site .context')).includes('session_xmalloc(64)'));
	check('the allocation wrapper is told apart', await page.$$eval('.site .context .wrapper b', (v) => v[0].textContent) === 'session_xmalloc()');
	check('curves are drawn', await page.$$eval('.site .line-cdf', (v) => v.every((e) => e.getTotalLength() > 50)));
	await page.screenshot({ path: path.join(shots, 'run-light.png'), fullPage: true });

	await page.click('th button[data-key=live]');
	check('sorted by live bytes, the largest first', (await names(page))[0] === 'new_entry()', await names(page));
	check('the column says so', await page.getAttribute('th:has(button[data-key=live])', 'aria-sort') === 'descending');
	await page.click('th button[data-key=live]');
	check('and the other way round', (await names(page))[4] === 'new_entry()', await names(page));
	await page.click('th button[data-key=rank]');
	check('back to rank', (await names(page))[0] === 'session_open()');

	await page.click('.bar button[data-kind=bloat]');
	check('filtered by kind', (await names(page)).join() === 'load_mime_types()', await names(page));
	check('and it says how many', await page.textContent('#shown') === '1 of 5 shown');
	await page.click('.bar button[data-kind=bloat]');
	await page.keyboard.press('/');
	await page.keyboard.type('snprintf session');
	check('searched in the source, by keyboard', (await names(page)).join() === 'session_open()', await names(page));
	await page.keyboard.press('Escape');
	check('Escape shows all', (await names(page)).length === 5);

	await page.click('#fold');
	check('all closed', await opened(page) === 0);
	await page.keyboard.press('j');
	await page.keyboard.press('j');
	await page.keyboard.press('Enter');
	check('j and Enter open the second', await page.$eval('.site:nth-of-type(2)', (s) => !s.querySelector('.detail').hidden));
	await page.keyboard.press('k');
	check('k goes back', await page.evaluate(() => document.activeElement.closest('.site').dataset.rank) === '1');
	await page.click('#fold');
	await page.click('#fold');
	check('all open', await opened(page) === 5);
	check('nothing went wrong', page.problems.length === 0, page.problems);
	const id = await page.$eval('.site:nth-of-type(2)', (s) => s.id);
	await page.context().close();

	const linked = await open(browser, 'some', {}, '#' + id);
	check('a link opens its site', await linked.$eval('#' + id, (s) => !s.querySelector('.detail').hidden));
	await linked.context().close();
}

async function fits(browser) {
	for (const width of [320, 390, 768, 1280]) {
		const page = await open(browser, 'some', { viewport: { width, height: 900 } });

		await page.click('#fold');
		await page.click('#fold');
		check(`fits into ${width} pixels`, !await overflows(page));
		if (width === 390)
			await page.screenshot({ path: path.join(shots, 'run-phone.png'), fullPage: true });
		await page.context().close();
	}
	const dark = await open(browser, 'some', { colorScheme: 'dark', viewport: { width: 1280, height: 1400 } });
	check('dark where that is wanted', isDark(await colours(dark)), await colours(dark));
	await dark.screenshot({ path: path.join(shots, 'run-dark.png'), fullPage: true });
	await dark.context().close();
}

async function others(browser) {
	const hostile = await open(browser, 'hostile', { viewport: { width: 390, height: 900 } });
	check('hostile names stay text', hostile.problems.length === 0 && await hostile.$$eval('main b', (v) => v.length > 0) &&
		(await hostile.textContent('.summary')).includes('<script>alert(1)</script>'), hostile.problems);
	check('and do not stretch the page', !await overflows(hostile));
	await hostile.screenshot({ path: path.join(shots, 'run-hostile.png'), fullPage: true });
	const none = await open(browser, 'none', {});
	check('nothing to show is said', (await none.textContent('main')).includes('freed') && none.problems.length === 0);
	const many = await open(browser, 'many', {});
	check('many sites', (await names(many)).length === 2000 && many.problems.length === 0, many.problems);
	check('a note where staleness is missing',
		(await (await open(browser, 'untracked', {})).textContent('header')).includes('could not be watched'));
	const plain = await open(browser, 'some', { javaScriptEnabled: false });
	check('complete without script', await plain.isVisible('.site:nth-of-type(2) .context'));
}

/* The page of findings shares style and keys with that of a run. */
async function findings(browser) {
	const page = await open(browser, 'findings', { viewport: { width: 1280, height: 900 } });
	const cards = () => page.$$eval('.card:not([hidden])', (v) => v.length);
	const all = await cards();

	check('findings are listed', all > 1, all);
	await page.keyboard.press('/');
	await page.keyboard.type('second');
	check('findings are searched', await cards() === 1, await cards());
	await page.keyboard.press('Escape');
	await page.keyboard.press('j');
	check('j goes to the first finding', await page.evaluate(() => !!document.activeElement.closest('.card')));
	check('and nothing goes wrong there', await cards() === all && page.problems.length === 0, page.problems);
}

run(tableWorks, fits, others, findings);
