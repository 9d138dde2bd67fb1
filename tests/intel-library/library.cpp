// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a metric set with Intel's own library: library SET MILLISECONDS prints each metric's name, unit, sum and number of reports.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <vector>

#include "metrics_discovery_api.h"

using namespace MetricsDiscovery;

static double number(const TTypedValue_1_0 &v)
{
	switch (v.ValueType) {
	case VALUE_TYPE_UINT32:
		return v.ValueUInt32;
	case VALUE_TYPE_UINT64:
		return static_cast<double>(v.ValueUInt64);
	case VALUE_TYPE_FLOAT:
		return v.ValueFloat;
	case VALUE_TYPE_BOOL:
		return v.ValueBool;
	default:
		return 0;
	}
}

static int fail(const char *what, int code)
{
	fprintf(stderr, "library: %s: %d\n", what, code);
	return 1;
}

static IMetricSet_1_5 *find_set(IConcurrentGroup_1_5 *group, const char *name)
{
	for (uint32_t i = 0; i < group->GetParams()->MetricSetsCount; i++)
		if (!strcmp(group->GetMetricSet(i)->GetParams()->SymbolName, name))
			return group->GetMetricSet(i);
	return nullptr;
}

// Sums all metrics over the reports of so many milliseconds.
static int measure(IConcurrentGroup_1_5 *group, IMetricSet_1_5 *set, uint32_t milliseconds)
{
	set->SetApiFiltering(API_TYPE_IOSTREAM);
	const TMetricSetParams_1_4 *params = set->GetParams();
	uint32_t period_ns = 1000000, buffer_bytes = 0, total = 0;
	TCompletionCode code = group->OpenIoStream(set, 0, &period_ns, &buffer_bytes);

	if (code != CC_OK)
		return fail("cannot open the stream", code);
	std::vector<double> sums(params->MetricsCount);
	std::vector<TTypedValue_1_0> values;
	for (uint32_t waited = 0; waited < milliseconds; waited += 50) {
		uint32_t count = buffer_bytes / params->RawReportSize, made = 0;
		std::vector<char> raw(static_cast<size_t>(count) * params->RawReportSize);

		group->WaitForReports(50);
		code = group->ReadIoStream(&count, raw.data(), 0);
		if ((code != CC_OK && code != CC_READ_PENDING) || !count)
			continue;
		uint32_t columns = params->MetricsCount + params->InformationCount;
		values.resize(static_cast<size_t>(count) * columns);
		code = set->CalculateMetrics(reinterpret_cast<uint8_t *>(raw.data()), count * params->RawReportSize, values.data(),
			static_cast<uint32_t>(values.size() * sizeof(values[0])), &made, false);
		if (code != CC_OK)
			return fail("cannot calculate", code);
		for (uint32_t r = 0; r < made; r++)
			for (uint32_t m = 0; m < params->MetricsCount; m++)
				sums[m] += number(values[static_cast<size_t>(r) * columns + m]);
		total += made;
	}
	group->CloseIoStream();
	for (uint32_t m = 0; m < params->MetricsCount; m++) {
		const TMetricParams_1_0 *p = set->GetMetric(m)->GetParams();

		printf("%s\t%s\t%.17g\t%u\n", p->SymbolName, p->MetricResultUnits, sums[m], total);
	}
	return total ? 0 : fail("no reports", 0);
}

int main(int argc, char **argv)
{
	IAdapterGroupLatest *adapters = nullptr;
	IMetricsDevice_1_5 *device = nullptr;
	void *library = dlopen("libigdmd.so.1", RTLD_NOW);

	if (argc != 3 || !library)
		return fail(library ? "library SET MILLISECONDS" : dlerror(), argc);
	auto open = reinterpret_cast<OpenAdapterGroup_fn>(dlsym(library, "OpenAdapterGroup"));
	TCompletionCode code = open ? open(&adapters) : CC_ERROR_GENERAL;
	if (code != CC_OK || !adapters->GetParams()->AdapterCount)
		return fail("no adapter", code);
	IMetricsDeviceLatest *latest = nullptr;
	code = adapters->GetAdapter(0)->OpenMetricsDevice(&latest);
	if (code != CC_OK && code != CC_ALREADY_INITIALIZED)
		return fail("cannot open the device", code);
	device = latest;
	for (uint32_t g = 0; g < device->GetParams()->ConcurrentGroupsCount; g++) {
		auto *group = static_cast<IConcurrentGroup_1_5 *>(device->GetConcurrentGroup(g));
		IMetricSet_1_5 *set = find_set(group, argv[1]);

		if (set)
			return measure(group, set, static_cast<uint32_t>(atoi(argv[2])));
		fprintf(stderr, "library: group %s has no set %s\n", group->GetParams()->SymbolName, argv[1]);
	}
	return 1;
}
